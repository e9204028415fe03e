import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { REALM } from './auth.errors.js';
import type { Principal } from './principal.js';
import { PrincipalsService } from './principals.service.js';

/** The token is the API key. */
@Injectable()
export class BearerKeyStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly principals: PrincipalsService) {
    super({ realm: REALM });
  }

  /** Header only: a key in a query string ends up in the logs of every proxy on the way. */
  override authenticate({ headers }: Request): void {
    super.authenticate({ headers } as Request);
  }

  validate(token: string): Promise<Principal | null> {
    return this.principals.byKey(token);
  }
}
