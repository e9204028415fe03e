import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import type pg from 'pg';

export interface KnownUser {
  id: string;
  username: string;
}

export interface TeamMemberRow extends KnownUser {
  role: string;
}

/** Only those of the caller's teams: who else there is, administrators of the instance know. */
const KNOWN = `
  SELECT u.id, u.username FROM users u
   WHERE ($1::uuid IS NULL OR u.id = $1) AND ($2::text IS NULL OR u.username = $2)
     AND ($3 OR u.id = $4 OR EXISTS (SELECT FROM team_members m WHERE m.user_id = u.id AND m.team_id = ANY ($5)))
   ORDER BY u.username LIMIT 100`;

const MEMBERS = `
  SELECT u.id, u.username, m.role FROM team_members m JOIN users u ON u.id = m.user_id
   WHERE m.team_id = $1 ORDER BY u.username`;

const BYTES = `
  SELECT coalesce(sum(v.size_bytes), 0)::text AS bytes
    FROM artifact_versions v JOIN artifact_collections c ON c.id = v.collection_id JOIN projects p ON p.id = c.project_id
   WHERE p.team_id = $1`;

/** Users that a caller may know of, and what clients ask of its teams. */
@Injectable()
export class AccountsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async findUsers(caller: Principal, by: { id?: string; username?: string }): Promise<KnownUser[]> {
    const teams = [...caller.teams.values()].map(({ teamId }) => teamId);
    const values = [by.id ?? null, by.username ?? null, caller.isAdmin, caller.userId, teams];
    return (await this.pool.query<KnownUser>(KNOWN, values)).rows;
  }

  async membersOf(teamId: string): Promise<TeamMemberRow[]> {
    return (await this.pool.query<TeamMemberRow>(MEMBERS, [teamId])).rows;
  }

  /** Bytes of the versions in the team's projects. */
  async bytesOf(teamId: string): Promise<string> {
    return (await this.pool.query<{ bytes: string }>(BYTES, [teamId])).rows[0]!.bytes;
  }
}
