import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type PlaceRole, type TeamRole, User } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository } from 'typeorm';
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
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** All who have a role in the place, by the team or by a grant, in order of their users' creation. */
  async list(place: Place, query: PageQuery): Promise<PlaceMember[]> {
    const { table, column } = GRANTS[place.kind];
    const known = this.users.createQueryBuilder('user').where(
      `(EXISTS (SELECT FROM team_members t WHERE t.team_id = :teamId AND t.user_id = user.id)
          OR EXISTS (SELECT FROM ${table} g WHERE g.${column} = :placeId AND g.user_id = user.id))`,
      { teamId: place.teamId, placeId: place.id },
    );
    return this.withRoles(place, await findPage(known, query));
  }

  /** Grants a role, in place of the one that was granted before. */
  async put(place: Place, username: string, role: PlaceRole): Promise<PlaceMember> {
    const { table, column } = GRANTS[place.kind];
    const user = await this.users.findOneBy({ username });
    if (!user) throw new UserNotFoundError(username);
    const [before] = await this.withRoles(place, [user]);
    if (role !== 'admin' && before?.source === 'team' && before.role === 'admin') {
      throw new TeamAdminRoleError(username, place.entity);
    }
    await this.users.query(
      `INSERT INTO ${table} (${column}, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (${column}, user_id) DO UPDATE SET role = excluded.role`,
      [place.id, user.id, role],
    );
    return { user, role, source: before?.role === 'admin' && before.source === 'team' ? 'team' : 'grant' };
  }

  /** Takes back what was granted. A member of the team keeps what the team gives. */
  async remove(place: Place, username: string): Promise<void> {
    const { table, column } = GRANTS[place.kind];
    const [, removed] = await this.users.query<[unknown[], number]>(
      `DELETE FROM ${table} WHERE ${column} = $1 AND user_id = (SELECT id FROM users WHERE username = $2)`,
      [place.id, username],
    );
    if (removed === 0) throw new PlaceMemberNotFoundError(username, `${place.kind} '${place.entity}/${place.name}'`);
  }

  private async withRoles(place: Place, users: User[]): Promise<PlaceMember[]> {
    const { table, column } = GRANTS[place.kind];
    const rows = await this.users.query<{ id: string; team: TeamRole | null; granted: PlaceRole | null }[]>(
      `SELECT u.id, t.role AS team, g.role AS granted
         FROM unnest($3::uuid[]) AS u (id)
         LEFT JOIN team_members t ON t.team_id = $1 AND t.user_id = u.id
         LEFT JOIN ${table} g ON g.${column} = $2 AND g.user_id = u.id`,
      [place.teamId, place.id, users.map(({ id }) => id)],
    );
    const roles = new Map(rows.map((row) => [row.id, row]));
    return users.flatMap((user) => {
      const { team = null, granted = null } = roles.get(user.id) ?? {};
      const role = effectiveRole(team ? { role: team } : undefined, granted, place.byDefault);
      return role ? [{ user, role, source: team === 'admin' || !granted ? 'team' : 'grant' }] : [];
    });
  }
}
