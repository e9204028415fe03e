import { Injectable } from '@nestjs/common';
import { InjectPool, isUuid, type PlaceRole, type ScopeType } from '@heddle/database';
import { type Principal, requireMembership, requireTeamAdmin } from '@heddle/auth';
import { NotFoundError, ValidationError } from '@heddle/http';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { RegistryAccessService } from '@heddle/registries';
import type pg from 'pg';
import { ScopeNotFoundError } from './automations.errors.js';
import { type ScopeKey, scopeKey } from '../firing/scope-key.js';

/** A scope that the caller may use. */
export interface Scope {
  type: ScopeType;
  key: ScopeKey;
  /** As the API shows it: `entity/project`, `entity/registry` or the team's name. */
  id: string;
  teamId: string;
  entity: string;
  projectId: number | null;
  registryId: string | null;
}

/** Whoever may see what happens in a scope sees its automations; its administrators make and change them. */
export type ScopeRole = Extract<PlaceRole, 'admin' | 'viewer'>;

const LOC = ['body', 'scope', 'scope_id'];

const NAME_OF_REGISTRY = `
  SELECT t.name || '/' || r.name AS name FROM registries r JOIN teams t ON t.id = r.team_id WHERE r.id = $1`;
const NAME_OF_TEAM = 'SELECT name FROM teams WHERE id = $1';

/** Who may do what with the automations of a registry, a project or a team. */
@Injectable()
export class ScopeAccessService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly registries: RegistryAccessService,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /**
   * The scope that a request names, for callers with this role there.
   * @param id `entity/project`; `entity/registry` or a registry's id; a team's name or id
   * @throws MissingRoleError that names the role, or a not-found error for whoever may not know of the scope
   */
  async require(caller: Principal, type: ScopeType, id: string, role: ScopeRole, loc = LOC): Promise<Scope> {
    try {
      return await this.find(caller, type, id, role, loc);
    } catch (error) {
      // The answer would name what a stranger's id stands for.
      const isUnknown = error instanceof NotFoundError || error instanceof ValidationError;
      throw isUuid(id) && isUnknown ? new ScopeNotFoundError(id) : error;
    }
  }

  private async find(caller: Principal, type: ScopeType, id: string, role: ScopeRole, loc: string[]): Promise<Scope> {
    switch (type) {
      case 'TEAM':
        return this.requireTeam(caller, await this.nameOf(NAME_OF_TEAM, id), role);
      case 'PROJECT': {
        const project = await this.projects.requireRole(caller, parsePlace(id, loc), role);
        const { teamId, entity } = project;
        const key = scopeKey(type, project.id);
        return { type, key, id: `${entity}/${project.name}`, teamId, entity, projectId: project.id, registryId: null };
      }
      case 'REGISTRY': {
        const { entity, project: name } = parsePlace(await this.nameOf(NAME_OF_REGISTRY, id), loc);
        const registry = await this.registries.requireRole(caller, { entity, registry: name }, role);
        const key = scopeKey(type, registry.id);
        return {
          type,
          key,
          id: `${entity}/${name}`,
          teamId: registry.teamId,
          entity,
          projectId: null,
          registryId: registry.id,
        };
      }
    }
  }

  private requireTeam(caller: Principal, entity: string, role: ScopeRole): Scope {
    const { teamId } = role === 'admin' ? requireTeamAdmin(caller, entity) : requireMembership(caller, entity);
    return {
      type: 'TEAM',
      key: scopeKey('TEAM', teamId),
      id: entity,
      teamId,
      entity,
      projectId: null,
      registryId: null,
    };
  }

  /** Ids are as good as names. */
  private async nameOf(sql: string, id: string): Promise<string> {
    if (!isUuid(id)) return id;
    const { rows } = await this.pool.query<{ name: string }>(sql, [id]);
    return rows[0]?.name ?? id;
  }
}

function parsePlace(id: string, loc: string[]): { entity: string; project: string } {
  try {
    return parseProjectId(id, loc);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw ValidationError.at(
      loc,
      "scope_id must be 'entity/project', 'entity/registry' or a registry's id",
      'scope_id',
      id,
    );
  }
}
