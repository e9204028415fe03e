import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AfterDeletion, DeletionNotConfirmedError, TeamDeletionService, type TeamPart } from '@heddle/accounts';
import type { Principal } from '@heddle/auth';
import { Project, type Team } from '@heddle/database';
import type { DataSource, EntityManager } from 'typeorm';
import { ProjectAccessService, type ProjectRef } from './project-access.service.js';
import type { ProjectName } from './project-id.js';

/** What another feature keeps of a project, and deletes with it. */
export interface ProjectPart {
  /** @param db of the transaction, in which the project's row goes next, and with it those that belong to it */
  delete(db: EntityManager, caller: Principal, project: ProjectRef): Promise<AfterDeletion[]>;
}

/** Deletes a project with its runs, artifacts, models, traces and automations, in one transaction; files go after it. */
@Injectable()
export class ProjectDeletionService implements OnModuleInit, TeamPart {
  private readonly parts: ProjectPart[] = [];
  private readonly registries: TeamPart[] = [];

  constructor(
    private readonly teams: TeamDeletionService,
    private readonly access: ProjectAccessService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.teams.include(this);
  }

  /** For a module's `onModuleInit`. */
  include(part: ProjectPart): void {
    this.parts.push(part);
  }

  /** What holds versions of a team's projects: it goes with the team, before them. */
  includeRegistries(part: TeamPart): void {
    this.registries.push(part);
  }

  /** Team administrators only. @throws VersionLinkedError where a registry links one of its versions */
  async deleteByName(caller: Principal, name: ProjectName, confirm: string | undefined): Promise<void> {
    const project = await this.access.requireTeamAdmin(caller, name);
    const id = `${project.entity}/${project.name}`;
    if (confirm !== id) throw new DeletionNotConfirmedError('project', id);
    const after = await this.dataSource.transaction((db) => this.deleteRows(db, caller, project));
    this.access.forgetAll();
    for (const remove of after) await remove();
  }

  /** All of a team's registries and projects. */
  async delete(db: EntityManager, caller: Principal, team: Team): Promise<AfterDeletion[]> {
    const after: AfterDeletion[] = [() => Promise.resolve(this.access.forgetAll())];
    for (const part of this.registries) after.push(...(await part.delete(db, caller, team)));
    for (const { id, name } of await db.find(Project, { where: { teamId: team.id }, order: { id: 'ASC' } })) {
      after.push(...(await this.deleteRows(db, caller, { id, name, teamId: team.id, entity: team.name })));
    }
    return after;
  }

  private async deleteRows(db: EntityManager, caller: Principal, project: ProjectRef): Promise<AfterDeletion[]> {
    // Whoever makes something in it at this moment waits, and then finds no project.
    await db.findOne(Project, { where: { id: project.id }, lock: { mode: 'pessimistic_write' } });
    const after: AfterDeletion[] = [];
    for (const part of this.parts) after.push(...(await part.delete(db, caller, project)));
    await db.delete(Project, { id: project.id });
    return after;
  }
}
