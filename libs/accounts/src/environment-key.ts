import { digestOf, prefixOf } from '@heddle/auth';
import { ApiKey } from '@heddle/database';
import { type EntityManager, IsNull, Not } from 'typeorm';

/** Name of the key that comes from the environment; no other key may have it. */
export const ENVIRONMENT_KEY_NAME = 'ADMIN_API_KEY';

/** Makes this the user's key from the environment; the one that was it before stops. */
export async function putEnvironmentKey(db: EntityManager, userId: string, key: string): Promise<void> {
  const digest = digestOf(key);
  const others = { userId, name: ENVIRONMENT_KEY_NAME, digest: Not(digest), revokedAt: IsNull() };
  await db.update(ApiKey, others, { revokedAt: new Date() });
  const current = { userId, name: ENVIRONMENT_KEY_NAME, digest, prefix: prefixOf(key), revokedAt: null };
  await db.upsert(ApiKey, current, ['digest']);
}
