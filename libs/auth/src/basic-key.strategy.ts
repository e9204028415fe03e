import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { BasicStrategy } from 'passport-http';
import { REALM } from './auth.errors.js';
import type { Principal } from './principal.js';
import { PrincipalsService } from './principals.service.js';
import { presentedKey } from './presented-key.js';

/** The password is the API key; the user name is ignored. */
@Injectable()
export class BasicKeyStrategy extends PassportStrategy(BasicStrategy, 'basic') {
  constructor(private readonly principals: PrincipalsService) {
    super({ realm: REALM });
  }

  /** passport-http refuses an empty user name and cuts a password at a colon, so it is shown neither. */
  override authenticate({ headers }: Request): void {
    const pair = `api:${Buffer.from(presentedKey(headers) ?? '').toString('base64url')}`;
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    super.authenticate({ headers: { authorization } } as Request);
  }

  validate(_user: string, password: string): Promise<Principal | null> {
    return this.principals.byKey(Buffer.from(password, 'base64url').toString('utf8'));
  }
}
