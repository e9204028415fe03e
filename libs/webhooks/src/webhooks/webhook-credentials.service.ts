import { Injectable } from '@nestjs/common';
import { ValidationError } from '@heddle/http';
import {
  accessTokenProblem,
  refuseProblem,
  SecretNotFoundError,
  SecretVaultService,
  signingSecretProblem,
} from '@heddle/secrets';
import type { EntityManager } from 'typeorm';

export interface Credentials {
  accessTokenRef?: string | null | undefined;
  secretRef?: string | null | undefined;
}

/** Checks the secrets that a webhook is to use: they exist, and are fit for it. */
@Injectable()
export class WebhookCredentialsService {
  constructor(private readonly vault: SecretVaultService) {}

  /**
   * Until the transaction ends they stay as they are.
   * @throws ValidationError, which never repeats a value
   */
  async check(db: EntityManager, teamId: string, { accessTokenRef, secretRef }: Credentials): Promise<void> {
    await this.checkOne(db, teamId, 'access_token_ref', accessTokenRef, accessTokenProblem);
    await this.checkOne(db, teamId, 'secret_ref', secretRef, signingSecretProblem);
  }

  private async checkOne(
    db: EntityManager,
    teamId: string,
    field: string,
    name: string | null | undefined,
    problemOf: typeof accessTokenProblem,
  ): Promise<void> {
    if (name === null || name === undefined) return;
    const loc = ['body', field];
    try {
      const values = await this.vault.hold(db, teamId, [name]);
      refuseProblem(loc, problemOf(values.get(name)!));
    } catch (error) {
      if (!(error instanceof SecretNotFoundError)) throw error;
      throw ValidationError.at(loc, error.message, error.code, name);
    }
  }
}
