import { User } from '@heddle/database';
import type { EntityManager } from 'typeorm';
import { UserNotFoundError } from './accounts.errors.js';

/** @throws UserNotFoundError */
export async function findUser(db: EntityManager, username: string): Promise<User> {
  const user = await db.findOne(User, { where: { username }, relations: { defaultTeam: true } });
  if (!user) throw new UserNotFoundError(username);
  return user;
}
