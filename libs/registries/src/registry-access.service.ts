import { Injectable } from '@nestjs/common';
import { EntityNotFoundError, MissingRoleError, type Principal } from '@heddle/auth';
import { InjectPool, type PlaceRole } from '@heddle/database';
import type { EventPlace } from '@heddle/events';
import { effectiveRole, includesRole } from '@heddle/projects';
import type pg from 'pg';
import { RegistryNotFoundError } from './registries.errors.js';

export interface RegistryName {
  entity: string;
  registry: string;
}

/** A registry that the caller may use. */
export interface RegistryRef {
  id: string;
  teamId: string;
  entity: string;
  name: string;
}

/** What a team's members may do in its registries, if nothing else is granted: releases are for the appointed. */
export const DEFAULT_ROLE: PlaceRole = 'viewer';

const FOR_USER = `
  SELECT r.id, r.team_id, g.role
    FROM registries r
    JOIN teams t ON t.id = r.team_id
    LEFT JOIN registry_members g ON g.registry_id = r.id AND g.user_id = $3
   WHERE t.name = $1 AND r.name = $2`;

/**
 * Who may do what in which registry. Team administrators are its administrators, other members of the team its viewers;
 * a role that the registry grants wins over the latter, and lets users from outside the team in.
 */
@Injectable()
export class RegistryAccessService {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Whether there is one, whoever asks: never show it to those without a role. */
  async exists({ entity, registry }: RegistryName): Promise<boolean> {
    const sql = 'SELECT FROM registries r JOIN teams t ON t.id = r.team_id WHERE t.name = $1 AND r.name = $2';
    return (await this.pool.query(sql, [entity, registry])).rowCount! > 0;
  }

  /**
   * The registry, for what only callers with this role (or a stronger one) may do.
   * @throws MissingRoleError, a 403 that names the role, for those who may know the registry but don't have it
   */
  async requireRole(caller: Principal, { entity, registry }: RegistryName, role: PlaceRole): Promise<RegistryRef> {
    const { rows } = await this.pool.query<{ id: string; team_id: string; role: PlaceRole | null }>(FOR_USER, [
      entity,
      registry,
      caller.userId,
    ]);
    const found = rows[0];
    const has = effectiveRole(caller.teams.get(entity), found?.role ?? null, DEFAULT_ROLE);
    if (!has) throw new EntityNotFoundError(entity);
    if (!found) throw new RegistryNotFoundError(`${entity}/${registry}`);
    if (!includesRole(has, role)) throw new MissingRoleError(role, `registry '${entity}/${registry}'`);
    return { id: found.id, teamId: found.team_id, entity, name: registry };
  }
}

export const placeOfRegistry = ({ id, name, teamId, entity }: RegistryRef): EventPlace => ({
  teamId,
  entity,
  project: null,
  registry: { id, name },
});
