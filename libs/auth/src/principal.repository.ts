import { Injectable } from '@nestjs/common';
import { InjectPool, type TeamRole } from '@heddle/database';
import type pg from 'pg';
import type { Principal } from './principal.js';

export interface KeyOwner {
  keyId: string;
  principal: Principal;
}

interface Row {
  key_id: string;
  user_id: string;
  username: string;
  is_admin: boolean;
  default_team: string | null;
  teams: { name: string; teamId: string; role: TeamRole }[];
}

/** One statement, so that a key's owner and teams belong together. */
const BY_DIGEST = `
  SELECT k.id AS key_id, u.id AS user_id, u.username, u.is_admin, d.name AS default_team,
         (SELECT coalesce(json_agg(json_build_object('name', t.name, 'teamId', t.id, 'role', m.role)), '[]')
            FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id) AS teams
    FROM api_keys k
    JOIN users u ON u.id = k.user_id
    LEFT JOIN teams d ON d.id = u.default_team_id
   WHERE k.digest = $1 AND k.revoked_at IS NULL`;

@Injectable()
export class PrincipalRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Who holds the key with this digest; null where there is no such key, or it is revoked. */
  async findByDigest(digest: Buffer): Promise<KeyOwner | null> {
    const { rows } = await this.pool.query<Row>(BY_DIGEST, [digest]);
    const row = rows[0];
    if (!row) return null;
    const teams = new Map(row.teams.map(({ name, teamId, role }) => [name, { teamId, role }]));
    const principal = {
      userId: row.user_id,
      username: row.username,
      isAdmin: row.is_admin,
      // A default team that the user has left stands for nothing.
      defaultTeam: row.default_team !== null && teams.has(row.default_team) ? row.default_team : null,
      teams,
    };
    return { keyId: row.key_id, principal };
  }
}
