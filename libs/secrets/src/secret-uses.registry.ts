import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What uses a secret, by name. */
export interface SecretUses {
  /** What sends it as an access token. */
  asAccessToken: string[];
  /** What signs with it. */
  asSigningSecret: string[];
}

export interface SecretUser {
  /** @param db of a transaction that holds the secret */
  usesOf(db: EntityManager, teamId: string, secret: string): Promise<SecretUses>;
}

/** What a secret's value must be fit for, and what keeps it from being deleted, is for other features to say. */
@Injectable()
export class SecretUsesRegistry {
  private readonly users: SecretUser[] = [];

  /** For a module's `onModuleInit`. */
  include(user: SecretUser): void {
    this.users.push(user);
  }

  async of(db: EntityManager, teamId: string, secret: string): Promise<SecretUses> {
    const uses: SecretUses = { asAccessToken: [], asSigningSecret: [] };
    for (const user of this.users) {
      const { asAccessToken, asSigningSecret } = await user.usesOf(db, teamId, secret);
      uses.asAccessToken.push(...asAccessToken);
      uses.asSigningSecret.push(...asSigningSecret);
    }
    return uses;
  }
}
