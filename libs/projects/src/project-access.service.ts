import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Principal, requireMembership } from '@heddle/auth';
import { Project } from '@heddle/database';
import { LRUCache } from 'lru-cache';
import type { Repository } from 'typeorm';
import type { ProjectName } from './project-id.js';
import { ProjectNotFoundError } from './projects.errors.js';

/** A project that the caller may use. */
export interface ProjectRef {
  id: number;
  teamId: string;
  entity: string;
  name: string;
}

/** Seconds for which a project's id is remembered. Ids never change; a deleted project is noticed within them. */
const CACHE_SECONDS = 10;

/** Who may read or write which project, decided on every request from the caller's team memberships. */
@Injectable()
export class ProjectAccessService {
  private readonly known = new LRUCache<string, ProjectRef>({ max: 10_000, ttl: CACHE_SECONDS * 1000 });

  constructor(@InjectRepository(Project) private readonly projects: Repository<Project>) {}

  /** The project, or null where the team has none of that name. Another team's is an {@link EntityNotFoundError}. */
  async find(caller: Principal, name: ProjectName): Promise<ProjectRef | null> {
    const { teamId } = requireMembership(caller, name.entity);
    const key = `${teamId}/${name.project}`;
    const known = this.known.get(key);
    if (known) return known;
    const project = await this.projects.findOneBy({ teamId, name: name.project });
    if (!project) return null;
    const ref = { id: project.id, teamId, entity: name.entity, name: name.project };
    this.known.set(key, ref);
    return ref;
  }

  /** As {@link find}, but a missing project is an error. */
  async get(caller: Principal, name: ProjectName): Promise<ProjectRef> {
    const project = await this.find(caller, name);
    if (!project) throw new ProjectNotFoundError(`${name.entity}/${name.project}`);
    return project;
  }

  /** The project to write to, made if the team has none of that name. */
  async findOrCreate(caller: Principal, name: ProjectName): Promise<ProjectRef> {
    const found = await this.find(caller, name);
    if (found) return found;
    const { teamId } = requireMembership(caller, name.entity);
    // Two first writes at once are both right.
    await this.projects.createQueryBuilder().insert().values({ teamId, name: name.project }).orIgnore().execute();
    return this.get(caller, name);
  }
}
