import type { EntityManager } from 'typeorm';

/** Name of a team whose only administrator is this user, if there is one. */
export async function teamLedOnlyBy(db: EntityManager, userId: string, teamId?: string): Promise<string | null> {
  const rows: { name: string }[] = await db.query(
    `SELECT t.name
       FROM team_members m JOIN teams t ON t.id = m.team_id
      WHERE m.user_id = $1 AND m.role = 'admin' AND ($2::uuid IS NULL OR m.team_id = $2)
        AND NOT EXISTS (SELECT FROM team_members o
                         WHERE o.team_id = m.team_id AND o.role = 'admin' AND o.user_id <> m.user_id)
      ORDER BY t.name
      LIMIT 1`,
    [userId, teamId ?? null],
  );
  return rows[0]?.name ?? null;
}
