import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import passport from 'passport';
import { AUTH_SCHEME, type AuthScheme } from './auth.decorators.js';
import { RouteClosedError, UnauthenticatedError } from './auth.errors.js';
import { BasicKeyStrategy } from './basic.strategy.js';
import { BearerKeyStrategy } from './bearer.strategy.js';
import type { Principal } from './principal.js';

/** Stands before every route, and lets nobody through one that doesn't say who may use it. */
@Injectable()
export class AuthGuard implements CanActivate {
  private readonly strategies: Readonly<Record<'basic' | 'bearer', passport.Strategy>>;

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
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const caller = await this.authenticate(scheme, request, http.getResponse<Response>());
    if (!caller) throw new UnauthenticatedError(scheme);
    request.user = caller;
    return true;
  }

  private authenticate(scheme: 'basic' | 'bearer', request: Request, response: Response): Promise<Principal | false> {
    // Not by name: passport's names are one list for the whole process, and two applications in it must not share a
    // database. A copy for each request, since passport writes the request's callbacks onto the strategy.
    const strategy = Object.create(this.strategies[scheme]) as passport.Strategy;
    return new Promise((resolve, reject) => {
      const done = (error: unknown, caller?: Principal | false): void =>
        error ? reject(error as Error) : resolve(caller ?? false);
      void passport.authenticate(strategy, { session: false }, done)(request, response, done);
    });
  }
}
