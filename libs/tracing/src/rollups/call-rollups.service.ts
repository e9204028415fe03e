import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { QueryLimits } from '../query/query.limits.js';
import { CallRollupsRepository } from './call-rollups.repository.js';

/** Calls that a reader waits for to be summed up: more take longer than to read what was asked for without sums. */
const MAX_PENDING_CALLS = 20_000;
/** Of refreshes for one reader: minutes may change faster than they are summed up. */
const MAX_ROUNDS = 50;
const CANCELED = '57014';

/** Keeps the sums of calls by minute true to the calls. */
@Injectable()
export class CallRollupsService {
  constructor(
    private readonly rollups: CallRollupsRepository,
    private readonly limits: QueryLimits,
  ) {}

  /** Whether the sums say what the calls do. A few changes are summed up here, before it answers; a backlog is the worker's. */
  async areCurrent(projectId: number): Promise<boolean> {
    try {
      return await this.bringUpToDate(projectId);
    } catch (error) {
      // Nobody waits for sums longer than for the calls themselves.
      if (error instanceof pg.DatabaseError && error.code === CANCELED) return false;
      throw error;
    }
  }

  private async bringUpToDate(projectId: number): Promise<boolean> {
    if (!(await this.rollups.isPending(projectId))) return true;
    const { statementMs } = this.limits;
    const pending = await this.rollups.pendingCalls(projectId, MAX_PENDING_CALLS + 1, statementMs);
    if (pending > MAX_PENDING_CALLS) return false;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if ((await this.rollups.refresh(projectId, 0, statementMs)) === 0) return true;
    }
    return false;
  }

  /** The visible calls of a project; null where their sums aren't current. */
  async countOf(projectId: number): Promise<number | null> {
    return (await this.areCurrent(projectId)) ? this.rollups.countOf(projectId) : null;
  }
}
