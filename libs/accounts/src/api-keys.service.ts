import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { digestOf, generateApiKey, prefixOf, type Principal, requireInstanceAdmin } from '@heddle/auth';
import { ApiKey } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { IsNull, type Repository } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { ApiKeyNotFoundError } from './accounts.errors.js';
import { findUser } from './find-user.js';

/** The keys of one user: the caller, or, for administrators of the instance, anybody. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly changes: AccountChangesService,
  ) {}

  /** @returns the key, which exists nowhere else, and what is stored of it */
  async create(caller: Principal, username: string, name: string): Promise<{ key: string; stored: ApiKey }> {
    requireOwner(caller, username);
    const key = generateApiKey();
    const stored = await this.changes.apply(async (db) => {
      const { id: userId } = await findUser(db, username);
      const { id } = await db.save(ApiKey, { userId, name, digest: digestOf(key), prefix: prefixOf(key) });
      return db.findOneByOrFail(ApiKey, { id });
    });
    return { key, stored };
  }

  /** Those that work; revoked ones are not listed. */
  async list(caller: Principal, username: string, query: PageQuery): Promise<ApiKey[]> {
    requireOwner(caller, username);
    const { id: userId } = await findUser(this.keys.manager, username);
    const keys = this.keys
      .createQueryBuilder('key')
      .where('key.userId = :userId', { userId })
      .andWhere('key.revokedAt IS NULL');
    return findPage(keys, query);
  }

  async revoke(caller: Principal, username: string, id: string): Promise<void> {
    requireOwner(caller, username);
    await this.changes.apply(async (db) => {
      const { id: userId } = await findUser(db, username);
      const { affected } = await db.update(ApiKey, { id, userId, revokedAt: IsNull() }, { revokedAt: new Date() });
      if (!affected) throw new ApiKeyNotFoundError(id);
    });
  }
}

function requireOwner(caller: Principal, username: string): void {
  if (username !== caller.username) requireInstanceAdmin(caller);
}
