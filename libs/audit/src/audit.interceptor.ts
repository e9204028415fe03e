import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { requestIdOf } from '@heddle/http';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { isAudited } from './audited-operations.js';
import { AuditTrailService } from './audit-trail.service.js';
import { fieldsOf, subjectOf, teamHintsOf } from './request-facts.js';

/** Puts down in the audit log what people change by routes of their own. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly trail: AuditTrailService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const action = `${context.getClass().name.replace(/Controller$/, '')}_${context.getHandler().name}`;
    const caller = request.user as Principal | undefined;
    const { method, path } = request;
    if (!caller || !isAudited(method, path, action)) return next.handle();
    const change = {
      ...{ caller, action, method, path, fields: fieldsOf(request.body), requestId: requestIdOf(request) },
      team: teamHintsOf(request, caller),
    };
    const does = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.trail.record(change, does, (answer) => ({ subject: subjectOf(answer) })));
  }
}
