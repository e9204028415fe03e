import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { AuditOutcome } from '@heddle/database';
import { ApiError, requestIdOf } from '@heddle/http';
import type { Request } from 'express';
import { catchError, mergeMap, type Observable } from 'rxjs';
import { isAudited } from './audited-operations.js';
import { AuditRepository } from './audit.repository.js';
import { fieldsOf, subjectOf, teamHintsOf } from './request-facts.js';

/**
 * Writes down who changes what: before it happens, so that no change is without an entry, and afterwards how it ended. What
 * changed nothing because it was not valid leaves no entry; what the caller may not do does.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  constructor(private readonly audit: AuditRepository) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const operation = `${context.getClass().name.replace(/Controller$/, '')}_${context.getHandler().name}`;
    const caller = request.user as Principal | undefined;
    const { method, path } = request;
    if (!caller || !isAudited(method, path, operation)) return next.handle();
    const id = await this.audit.begin({
      ...{ userId: caller.userId, username: caller.username },
      ...(await this.audit.teamOf(teamHintsOf(request, caller))),
      ...{ action: operation, method, path: path.slice(0, 2000), fields: fieldsOf(request.body) },
      requestId: requestIdOf(request),
    });
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await this.end(id, 'DONE', subjectOf(answer));
        return answer;
      }),
      catchError(async (error: unknown) => {
        await this.end(id, outcomeOf(error), null);
        throw error;
      }),
    );
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
