import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';

export interface GivenUser {
  id: string;
  username: string;
  key: string;
  /** For `/v1` routes. */
  bearer: { authorization: string };
  /** For tracing routes. */
  basic: { authorization: string };
}

let counter = 0;

/** Builds what a test starts from, straight in the database, so that a test of one feature needs no other. */
export class Given {
  constructor(private readonly pool: pg.Pool) {}

  /** A team (the `entity` of the wire formats). */
  async team(name = `team-${++counter}`): Promise<{ id: string; name: string }> {
    const { rows } = await this.pool.query<{ id: string }>('INSERT INTO teams (name) VALUES ($1) RETURNING id', [name]);
    return { id: rows[0]!.id, name };
  }

  /** A user with a working API key, in the given teams; the first is the default one. */
  async user(
    options: {
      username?: string;
      isAdmin?: boolean;
      teams?: { id: string; role?: 'admin' | 'member' }[];
    } = {},
  ): Promise<GivenUser> {
    const { username = `user-${++counter}`, isAdmin = false, teams = [] } = options;
    const { rows } = await this.pool.query<{ id: string }>(
      'INSERT INTO users (username, is_admin, default_team_id) VALUES ($1, $2, $3) RETURNING id',
      [username, isAdmin, teams[0]?.id ?? null],
    );
    const id = rows[0]!.id;
    for (const team of teams) {
      const values = [team.id, id, team.role ?? 'member'];
      await this.pool.query('INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, $3)', values);
    }
    return { id, username, ...(await this.key(id)) };
  }

  /** One more key of a user. */
  async key(userId: string): Promise<Pick<GivenUser, 'key' | 'bearer' | 'basic'>> {
    const key = `hd_${randomBytes(32).toString('base64url')}`;
    const digest = createHash('sha256').update(key).digest();
    await this.pool.query("INSERT INTO api_keys (user_id, name, digest, prefix) VALUES ($1, 'test', $2, $3)", [
      userId,
      digest,
      key.slice(0, 8),
    ]);
    return {
      key,
      bearer: { authorization: `Bearer ${key}` },
      basic: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
    };
  }

  /** A team with one member: what most tests need. */
  async member(): Promise<GivenUser & { entity: string }> {
    const team = await this.team();
    return { ...(await this.user({ teams: [team] })), entity: team.name };
  }
}
