import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';

/** What one query, and all queries of a process together, may take. */
@Injectable()
export class QueryLimits {
  /** Longest that one statement may run. */
  readonly statementMs: number;
  /** Connections that queries hold at a time. The rest of the pool is for writers, however slowly readers read. */
  readonly connections: number;
  /** Longest that a query waits for one of them. */
  readonly waitMs: number = 10_000;
  /** Longest that a client may take nothing of an answer that is ready for it. */
  readonly stallMs: number = 60_000;

  constructor(env: Env) {
    this.statementMs = env.QUERY_TIMEOUT_SECONDS * 1000;
    this.connections = Math.floor(env.DATABASE_POOL_SIZE / 2);
  }
}
