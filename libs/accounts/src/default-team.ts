import type { EntityManager } from 'typeorm';

/** Gives a user whose default team is none of theirs the one that they joined first, or none. */
export async function chooseDefaultTeam(db: EntityManager, userId: string): Promise<void> {
  await db.query(
    `UPDATE users u
        SET default_team_id = (SELECT m.team_id FROM team_members m WHERE m.user_id = u.id
                                ORDER BY m.created_at, m.team_id LIMIT 1)
      WHERE u.id = $1
        AND NOT EXISTS (SELECT FROM team_members m WHERE m.user_id = u.id AND m.team_id = u.default_team_id)`,
    [userId],
  );
}
