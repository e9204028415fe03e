import { Injectable } from '@nestjs/common';
import { type Principal, requireTeamMember } from '@heddle/auth';
import type { Project } from '@heddle/database';
import { resolveEntity } from './default-entity.js';
import type { CreateProjectDto, ListProjectsQuery, UpdateProjectDto } from './dto/project.dto.js';
import type { ProjectName } from './project-id.js';
import { ProjectAccessService } from './project-access.service.js';
import { ProjectRepository } from './project.repository.js';
import { ProjectExistsError, ProjectNotFoundError } from './projects.errors.js';

/** Projects as their teams manage them. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly access: ProjectAccessService,
  ) {}

  /** Those of a team, or all that the caller has a role in. */
  async list(caller: Principal, query: ListProjectsQuery): Promise<Project[]> {
    const projects = await this.projects.findPage(caller, query.entity, query);
    if (projects.length === 0 && query.entity !== undefined) await this.access.requireAnyIn(caller, query.entity);
    return projects;
  }

  async get(caller: Principal, name: ProjectName): Promise<Project> {
    await this.access.get(caller, name);
    const project = await this.projects.findByName(name);
    if (!project) throw new ProjectNotFoundError(`${name.entity}/${name.project}`);
    return project;
  }

  async create(caller: Principal, dto: CreateProjectDto): Promise<Project> {
    const entity = resolveEntity(caller, dto.entity);
    const { teamId } = requireTeamMember(caller, entity);
    if (!(await this.projects.insert(teamId, dto.name))) throw new ProjectExistsError(`${entity}/${dto.name}`);
    return this.get(caller, { entity, project: dto.name });
  }

  /** Team administrators only: a shorter retention deletes data, and tracing shows what others wrote. */
  async update(caller: Principal, name: ProjectName, dto: UpdateProjectDto): Promise<Project> {
    const { id } = await this.access.requireTeamAdmin(caller, name);
    await this.projects.update(id, { retentionDays: dto.retention_days, chatTracing: dto.chat_tracing });
    return this.get(caller, name);
  }
}
