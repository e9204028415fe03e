import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectRepository } from '@nestjs/typeorm';
import { PLACE_NAMES, type PlaceRole, Project, violates } from '@heddle/database';
import { type PageQuery, ValidationError } from '@heddle/http';
import type { Repository } from 'typeorm';
import { parseProjectId, type ProjectName } from './project-id.js';
import { RegistryNameError } from './projects.errors.js';

const AFTER = ['query', 'after'];

/** What the caller's teams own, and what projects of others grant to the caller. */
const VISIBLE = `(project.teamId = ANY(:teamIds)
  OR EXISTS (SELECT FROM project_members m WHERE m.project_id = project.id AND m.user_id = :userId))`;

const GRANTS_ANY = `
  SELECT FROM project_members m JOIN projects p ON p.id = m.project_id JOIN teams t ON t.id = p.team_id
   WHERE t.name = $1 AND m.user_id = $2 LIMIT 1`;

const FOR_USER = `
  SELECT p.id, p.team_id AS "teamId", m.role
    FROM projects p
    JOIN teams t ON t.id = p.team_id
    LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = $3
   WHERE t.name = $1 AND p.name = $2`;

/** Projects with their teams. */
@Injectable()
export class ProjectRepository {
  constructor(@InjectRepository(Project) private readonly projects: Repository<Project>) {}

  findByName({ entity, project }: ProjectName): Promise<Project | null> {
    return this.projects.findOne({ where: { team: { name: entity }, name: project }, relations: { team: true } });
  }

  /** Whether one of the team's projects grants the user a role. */
  async grantsAny(entity: string, userId: string): Promise<boolean> {
    return (await this.projects.query<unknown[]>(GRANTS_ANY, [entity, userId])).length > 0;
  }

  /** The project whosever it is, and the role that it grants to a user. */
  async findForUser(
    { entity, project }: ProjectName,
    userId: string,
  ): Promise<{ ref: { id: number; teamId: string; entity: string; name: string }; granted: PlaceRole | null } | null> {
    const [row] = await this.projects.query<{ id: number; teamId: string; role: PlaceRole | null }[]>(FOR_USER, [
      entity,
      project,
      userId,
    ]);
    return row ? { ref: { id: row.id, teamId: row.teamId, entity, name: project }, granted: row.role } : null;
  }

  /** What follows the cursor (an `entity/project`), in order of creation: `limit` + 1 where there are as many. */
  async findPage(
    { teams, userId }: Principal,
    entity: string | undefined,
    { after, limit, order }: PageQuery,
  ): Promise<Project[]> {
    const teamIds = [...teams.values()].map(({ teamId }) => teamId);
    const list = this.projects
      .createQueryBuilder('project')
      .innerJoinAndSelect('project.team', 'team')
      .where(VISIBLE, { teamIds, userId });
    if (entity !== undefined) list.andWhere('team.name = :entity', { entity });
    const page = list
      .clone()
      // Ids are given in order of creation.
      .orderBy('project.id', order === 'asc' ? 'ASC' : 'DESC')
      .limit(limit + 1);
    if (after) {
      const { entity: owner, project: name } = parseProjectId(after, AFTER);
      const cursor = await list.andWhere('team.name = :owner AND project.name = :name', { owner, name }).getOne();
      if (!cursor) throw ValidationError.at(AFTER, 'No item of this list has this id', 'cursor', after);
      page.andWhere(`project.id ${order === 'asc' ? '>' : '<'} :id`, { id: cursor.id });
    }
    return page.getMany();
  }

  /** @returns false where the team has a project of that name @throws RegistryNameError where it has a registry */
  async insert(teamId: string, name: string): Promise<boolean> {
    const insert = this.projects.createQueryBuilder().insert().values({ teamId, name }).orIgnore().returning('id');
    try {
      return ((await insert.execute()).raw as unknown[]).length > 0;
    } catch (error) {
      throw violates(error, PLACE_NAMES) ? new RegistryNameError(name) : error;
    }
  }

  /** What is undefined stays as it is. */
  async update(id: number, settings: Partial<Pick<Project, 'retentionDays' | 'chatTracing'>>): Promise<void> {
    if (Object.values(settings).some((value) => value !== undefined)) await this.projects.update({ id }, settings);
  }
}
