import { Injectable } from '@nestjs/common';
import { digestOf, generateApiKey, prefixOf } from '@heddle/auth';
import { Env } from '@heddle/config';
import { ApiKey, Team, TeamMember, User } from '@heddle/database';
import type { EntityManager } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { putEnvironmentKey } from './environment-key.js';

const ADMIN = 'admin';

/** Lets the first person in. */
@Injectable()
export class FirstAdminService {
  constructor(
    private readonly changes: AccountChangesService,
    private readonly env: Env,
  ) {}

  /**
   * To be called at every start of the API, by any number of processes. With ADMIN_API_KEY set, that key is the key of
   * the administrator `admin`, and the one that was set before stops. Without it, an instance that has no user yet gets
   * that administrator with a generated key, which exactly one caller is given to print.
   */
  async ensure(): Promise<{ createdKey: string | null }> {
    return this.changes.apply(async (db) => {
      const given = this.env.ADMIN_API_KEY;
      if (given) {
        await putEnvironmentKey(db, await findOrCreateAdmin(db), given);
        return { createdKey: null };
      }
      if (await db.exists(User)) return { createdKey: null };
      const createdKey = generateApiKey();
      const userId = await findOrCreateAdmin(db);
      await db.insert(ApiKey, {
        userId,
        name: 'first key',
        digest: digestOf(createdKey),
        prefix: prefixOf(createdKey),
      });
      return { createdKey };
    });
  }
}

/** @returns the id of the user `admin`, who is an administrator of the instance */
async function findOrCreateAdmin(db: EntityManager): Promise<string> {
  const found = await db.findOneBy(User, { username: ADMIN });
  if (found) {
    await db.update(User, { id: found.id }, { isAdmin: true });
    return found.id;
  }
  const admin = await db.save(User, { username: ADMIN, isAdmin: true });
  // A team of that name that is already there is somebody's, and its data is theirs.
  if (!(await db.existsBy(Team, { name: ADMIN }))) {
    const team = await db.save(Team, { name: ADMIN });
    await db.insert(TeamMember, { teamId: team.id, userId: admin.id, role: 'admin' });
    await db.update(User, { id: admin.id }, { defaultTeamId: team.id });
  }
  return admin.id;
}
