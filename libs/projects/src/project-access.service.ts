import { Injectable } from '@nestjs/common';
import { EntityNotFoundError, MissingRoleError, type Principal, requireTeamMember } from '@heddle/auth';
import { Env } from '@heddle/config';
import type { PlaceRole } from '@heddle/database';
import { LRUCache } from 'lru-cache';
import { effectiveRole, includesRole } from './place-role.js';
import type { ProjectName } from './project-id.js';
import { ProjectRepository } from './project.repository.js';
import { ProjectNotFoundError } from './projects.errors.js';

/** A project that the caller may use. */
export interface ProjectRef {
  id: number;
  teamId: string;
  entity: string;
  name: string;
}

interface KnownProject {
  ref: ProjectRef;
  /** What the project itself grants to this caller. */
  granted: PlaceRole | null;
}

/**
 * Who may read or write which project, decided on every request from the caller's team memberships and the roles that
 * the project grants (see {@link effectiveRole}). What the project grants is at most AUTH_CACHE_SECONDS old.
 */
@Injectable()
export class ProjectAccessService {
  private readonly known: LRUCache<string, KnownProject>;
  private readonly remembers: boolean;

  constructor(
    private readonly projects: ProjectRepository,
    env: Env,
  ) {
    this.remembers = env.AUTH_CACHE_SECONDS > 0;
    this.known = new LRUCache({ max: 10_000, ttl: Math.max(env.AUTH_CACHE_SECONDS, 1) * 1000 });
  }

  /**
   * The project to read from, or null where the team has none of that name. One that the caller has no role in is an
   * {@link EntityNotFoundError}.
   */
  async find(caller: Principal, name: ProjectName): Promise<ProjectRef | null> {
    return (await this.look(caller, name))?.ref ?? null;
  }

  /** As {@link find}, but a missing project is an error. */
  async get(caller: Principal, name: ProjectName): Promise<ProjectRef> {
    return this.requireRole(caller, name, 'viewer');
  }

  /** As {@link find}, for what writes without making the project: viewers are refused. */
  async findWritable(caller: Principal, name: ProjectName): Promise<ProjectRef | null> {
    const found = await this.look(caller, name);
    return found && permit(found, 'member');
  }

  /** The project to write to, made if the team has none of that name. Viewers are refused. */
  async findOrCreate(caller: Principal, name: ProjectName): Promise<ProjectRef> {
    const found = await this.findWritable(caller, name);
    if (found) return found;
    const { teamId } = requireTeamMember(caller, name.entity);
    // Two first writes at once are both right.
    await this.projects.insert(teamId, name.project);
    return this.requireRole(caller, name, 'member');
  }

  /**
   * The project, for what only callers with this role (or a stronger one) may do.
   * @throws MissingRoleError, a 403 that names the role, for those who may know the project but don't have it
   */
  async requireRole(caller: Principal, name: ProjectName, role: PlaceRole): Promise<ProjectRef> {
    const found = await this.look(caller, name);
    if (!found) throw new ProjectNotFoundError(`${name.entity}/${name.project}`);
    return permit(found, role);
  }

  /**
   * The project, for what only administrators of its team may do.
   * @throws MissingRoleError for others who may know the project
   */
  async requireTeamAdmin(caller: Principal, name: ProjectName): Promise<ProjectRef> {
    const project = await this.get(caller, name);
    if (caller.teams.get(name.entity)?.role !== 'admin') throw new MissingRoleError('admin', `team '${name.entity}'`);
    return project;
  }

  /** @throws EntityNotFoundError for whoever has no role in the team, nor in any of its projects */
  async requireAnyIn(caller: Principal, entity: string): Promise<void> {
    if (caller.teams.has(entity) || (await this.projects.grantsAny(entity, caller.userId))) return;
    throw new EntityNotFoundError(entity);
  }

  /** To be called after every committed change to granted roles: this process sees it at once. */
  forgetAll(): void {
    this.known.clear();
  }

  private async look(caller: Principal, name: ProjectName): Promise<{ ref: ProjectRef; role: PlaceRole } | null> {
    const membership = caller.teams.get(name.entity);
    const known = await this.lookUp(caller, name);
    const role = effectiveRole(membership, known?.granted ?? null, 'member');
    if (!role) throw new EntityNotFoundError(name.entity);
    return known && { ref: known.ref, role };
  }

  private async lookUp(caller: Principal, name: ProjectName): Promise<KnownProject | null> {
    const key = `${caller.userId} ${name.entity}/${name.project}`;
    const known = this.known.get(key);
    if (known) return known;
    const found = await this.projects.findForUser(name, caller.userId);
    if (found && this.remembers) this.known.set(key, found);
    return found;
  }
}

function permit({ ref, role }: { ref: ProjectRef; role: PlaceRole }, needed: PlaceRole): ProjectRef {
  if (!includesRole(role, needed)) throw new MissingRoleError(needed, `project '${ref.entity}/${ref.name}'`);
  return ref;
}
