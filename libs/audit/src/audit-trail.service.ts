import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { AuditOutcome } from '@heddle/database';
import { ApiError } from '@heddle/http';
import { AuditRepository, type TeamHints } from './audit.repository.js';
import { storable } from './storable.js';

/** What is known of a change before it happens. */
export interface Change {
  caller: Principal;
  team: TeamHints;
  action: string;
  method: string;
  path: string;
  /** Names of what is given, never what it holds. */
  fields: string[];
  requestId: string;
}

/** How what was changed is called; null where it has no name, or is told by the path. */
export interface Changed {
  subject: string | null;
}

const MAX_PATH = 2000;
const MAX_SUBJECT = 200;

/**
 * Writes down who changes what: before it happens, so that no change is without an entry, and afterwards how it ended. What
 * changed nothing because it was not valid leaves no entry; what the caller may not do does.
 */
@Injectable()
export class AuditTrailService {
  private readonly logger = new Logger('Audit');

  constructor(private readonly audit: AuditRepository) {}

  /** @param changedBy what the answer says of it; null where nothing was changed */
  async record<T>(
    { caller, team, path, requestId, action, method, fields }: Change,
    change: () => Promise<T>,
    changedBy: (answer: T) => Changed | null,
  ): Promise<T> {
    const id = await this.audit.begin({
      ...{ userId: caller.userId, username: caller.username },
      ...(await this.audit.teamOf({ ...team, names: team.names.map(storable) })),
      ...{ action, method, path: path.slice(0, MAX_PATH), fields: fields.map(storable), requestId },
    });
    let answer: T;
    try {
      answer = await change();
    } catch (error) {
      await this.end(id, outcomeOf(error), null);
      throw error;
    }
    const changed = changedBy(answer);
    const subject = changed?.subject ?? null;
    await this.end(id, changed && 'DONE', subject === null ? null : storable(subject.slice(0, MAX_SUBJECT)));
    return answer;
  }

  /** What has happened stays so: an entry that can't be ended says `UNKNOWN`. */
  private async end(id: string, outcome: AuditOutcome | null, subject: string | null): Promise<void> {
    try {
      await this.audit.end(id, outcome, subject);
    } catch (err) {
      this.logger.error({ err, id, outcome }, 'how a change ended could not be written down');
    }
  }
}

/** null where nothing was tried: the request itself was wrong. */
function outcomeOf(error: unknown): AuditOutcome | null {
  const status = error instanceof ApiError ? error.status : 500;
  if (status === 403) return 'REFUSED';
  return status < 500 ? null : 'FAILED';
}
