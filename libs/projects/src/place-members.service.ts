import { Injectable } from '@nestjs/common';
import { UserReader } from '@heddle/accounts';
import { InjectPool, type PlaceRole, type User } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import type pg from 'pg';
import { effectiveRole } from './place-role.js';
import { PlaceMemberNotFoundError, TeamAdminRoleError, UserNotFoundError } from './projects.errors.js';

/** What grants roles of its own beside those that its team gives: a project or a registry. */
export interface Place {
  kind: 'project' | 'registry';
  id: number | string;
  teamId: string;
  entity: string;
  name: string;
  /** What members of the team are here, where nothing else is granted. */
  byDefault: PlaceRole;
}

export interface PlaceMember {
  user: User;
  role: PlaceRole;
  source: 'team' | 'grant';
}

/** Names of tables and columns, never of a caller's making. */
const GRANTS = {
  project: { table: 'project_members', column: 'project_id' },
  registry: { table: 'registry_members', column: 'registry_id' },
} as const;

/** Grants of roles in projects and registries. Whoever calls this has checked that the caller may. */
@Injectable()
export class PlaceMembersService {
  constructor(
    private readonly users: UserReader,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** All who have a role in the place, by the team or by a grant, in order of their users' creation. */
  async list(place: Place, query: PageQuery): Promise<PlaceMember[]> {
    const grants = await this.grantsIn(place);
    const users = await this.users.findPage(place.teamId, [...grants.keys()], query);
    return this.withRoles(place, users, grants);
  }

  /** Grants a role, in place of the one that was granted before. */
  async put(place: Place, username: string, role: PlaceRole): Promise<PlaceMember> {
    const { table, column } = GRANTS[place.kind];
    const user = await this.users.find(username);
    if (!user) throw new UserNotFoundError(username);
    const isTeamAdmin = (await this.users.rolesIn(place.teamId, [user.id])).get(user.id) === 'admin';
    if (role !== 'admin' && isTeamAdmin) throw new TeamAdminRoleError(username, place.entity);
    await this.pool.query(
      `INSERT INTO ${table} (${column}, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (${column}, user_id) DO UPDATE SET role = excluded.role`,
      [place.id, user.id, role],
    );
    return { user, role, source: isTeamAdmin ? 'team' : 'grant' };
  }

  /** Takes back what was granted. A member of the team keeps what the team gives. */
  async remove(place: Place, username: string): Promise<void> {
    const { table, column } = GRANTS[place.kind];
    const user = await this.users.find(username);
    const sql = `DELETE FROM ${table} WHERE ${column} = $1 AND user_id = $2`;
    const { rowCount } = await this.pool.query(sql, [place.id, user?.id ?? null]);
    if (!rowCount) throw new PlaceMemberNotFoundError(username, `${place.kind} '${place.entity}/${place.name}'`);
  }

  /** Roles by the users' ids. */
  private async grantsIn(place: Place): Promise<Map<string, PlaceRole>> {
    const { table, column } = GRANTS[place.kind];
    const sql = `SELECT user_id, role FROM ${table} WHERE ${column} = $1`;
    const { rows } = await this.pool.query<{ user_id: string; role: PlaceRole }>(sql, [place.id]);
    return new Map(rows.map(({ user_id, role }) => [user_id, role]));
  }

  private async withRoles(place: Place, users: User[], grants: Map<string, PlaceRole>): Promise<PlaceMember[]> {
    const ids = users.map(({ id }) => id);
    const team = await this.users.rolesIn(place.teamId, ids);
    return users.flatMap((user) => {
      const teamRole = team.get(user.id);
      const granted = grants.get(user.id) ?? null;
      const role = effectiveRole(teamRole && { role: teamRole }, granted, place.byDefault);
      return role ? [{ user, role, source: teamRole === 'admin' || !granted ? 'team' : 'grant' }] : [];
    });
  }
}
