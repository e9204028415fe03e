import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Strategy } from 'passport';
import { AUTH_SCHEME, type AuthScheme } from './auth.decorators.js';
import { RouteClosedError, UnauthenticatedError } from './auth.errors.js';
import { BasicKeyStrategy } from './basic-key.strategy.js';
import { BearerKeyStrategy } from './bearer-key.strategy.js';
import type { Principal } from './principal.js';

/** A strategy with the methods that it calls when it knows; see `StrategyCreatedStatic` in passport's types. */
interface Attempt {
  authenticate(request: Request): void;
}

/** How the caller shows the key: either way works on every route. */
function presentedScheme({ headers }: Request): 'basic' | 'bearer' | undefined {
  const [, scheme] = /^(basic|bearer)(?: |$)/i.exec(headers.authorization ?? '') ?? [];
  return scheme?.toLowerCase() as 'basic' | 'bearer' | undefined;
}

/** Stands before every route, and lets nobody through one that doesn't say who may use it. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly strategies: Readonly<Record<'basic' | 'bearer', Strategy>>;

  constructor(
    private readonly reflector: Reflector,
    basic: BasicKeyStrategy,
    bearer: BearerKeyStrategy,
  ) {
    this.strategies = { basic, bearer };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const scheme = this.reflector.getAllAndOverride<AuthScheme | undefined>(AUTH_SCHEME, targets);
    if (scheme === 'none') return true;
    if (!scheme) throw new RouteClosedError();
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticate(presentedScheme(request) ?? scheme, request);
    if (!caller) throw new UnauthenticatedError(scheme);
    request.user = caller;
    return true;
  }

  /**
   * Calls the strategy as `passport.authenticate` would. That finds it by a name in a list for the whole process, and two
   * applications in one process must not share a database; sessions and redirects, its other work, are none of ours.
   */
  private authenticate(scheme: 'basic' | 'bearer', request: Request): Promise<Principal | false> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => resolve(false);
      const outcomes = { success: resolve, error: reject, fail: refuse, pass: refuse, redirect: refuse };
      // One for each request, since a strategy tells what it finds to methods of its own.
      const attempt = Object.create(this.strategies[scheme]) as Attempt;
      Object.assign(attempt, outcomes).authenticate(request);
    });
  }
}
