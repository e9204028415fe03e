import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';

/** What one query, and all queries of a process together, may take. */
@Injectable()
export class CallQueryLimits {
  /** Longest that one statement may run. */
  statementMs = 30_000;
  /** Longest that a query waits for others to end. */
  waitMs = 10_000;
  /** Longest that a client may take nothing of an answer that is ready for it. */
  stallMs = 60_000;
  /** Queries at a time. The other half of the pool is for those who write, however slowly readers read. */
  readonly concurrent: number;

  constructor(env: Env) {
    this.concurrent = Math.floor(env.DATABASE_POOL_SIZE / 2);
  }
}
