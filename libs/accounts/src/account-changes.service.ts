import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { PrincipalsService } from '@heddle/auth';
import type { DataSource, EntityManager } from 'typeorm';

const ACCOUNTS_LOCK = 4_713_402_114;

/**
 * Every change to users, teams, members and keys. They are rare, so they come one at a time, over all processes: what a
 * change has checked ("another administrator is left", "the name is free") is still true when it commits.
 */
@Injectable()
export class AccountChangesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly principals: PrincipalsService,
  ) {}

  async apply<T>(change: (db: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(async (db) => {
      await db.query('SELECT pg_advisory_xact_lock($1)', [ACCOUNTS_LOCK]);
      return change(db);
    });
    // Other processes see the change within AUTH_CACHE_SECONDS, this one at once.
    this.principals.forgetAll();
    return result;
  }
}
