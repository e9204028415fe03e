import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { PLACE_NAMES, type PlaceRole, Project, violates } from '@heddle/database';
import { type PageQuery, ValidationError } from '@heddle/http';
import { In, type Repository } from 'typeorm';
import { parseProjectId, type ProjectName } from './project-id.js';
import { RegistryNameError } from './projects.errors.js';

const AFTER = ['query', 'after'];

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

  findByName(teamIds: string[], { entity, project }: ProjectName): Promise<Project | null> {
    return this.projects.findOne({
      where: { teamId: In(teamIds), team: { name: entity }, name: project },
      relations: { team: true },
    });
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
  async findPage(teamIds: string[], { after, limit, order }: PageQuery): Promise<Project[]> {
    const page = this.projects
      .createQueryBuilder('project')
      .innerJoinAndSelect('project.team', 'team')
      .where('project.teamId = ANY(:teamIds)', { teamIds })
      // Ids are given in order of creation.
      .orderBy('project.id', order === 'asc' ? 'ASC' : 'DESC')
      .limit(limit + 1);
    if (after) {
      const cursor = await this.findByName(teamIds, parseProjectId(after, AFTER));
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
