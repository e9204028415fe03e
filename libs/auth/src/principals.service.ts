import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { digestOf } from './api-key.js';
import { KeyUsageService } from './key-usage.service.js';
import { LookupCache } from './lookup-cache.js';
import type { Principal } from './principal.js';
import { type KeyOwner, PrincipalRepository } from './principal.repository.js';

/** Entries of about 1 kB. Unknown keys are remembered too, so that a client with a bad one doesn't load the database. */
const MAX_ENTRIES = 10_000;

/** Tells whose an API key is. */
@Injectable()
export class PrincipalsService {
  private readonly cache: LookupCache<KeyOwner | null>;

  constructor(
    private readonly repository: PrincipalRepository,
    private readonly usage: KeyUsageService,
    env: Env,
  ) {
    this.cache = new LookupCache({ seconds: env.AUTH_CACHE_SECONDS, maxEntries: MAX_ENTRIES });
  }

  /** The owner of the key, at most AUTH_CACHE_SECONDS old; null for a key that is unknown or revoked. */
  async byKey(key: string): Promise<Principal | null> {
    const digest = digestOf(key);
    const owner = await this.cache.get(digest.toString('base64'), () => this.repository.findByDigest(digest));
    if (!owner) return null;
    this.usage.record(owner.keyId);
    return owner.principal;
  }

  /** To be called after every committed change to users, teams or keys: this process sees it at once. */
  forgetAll(): void {
    this.cache.clear();
  }
}
