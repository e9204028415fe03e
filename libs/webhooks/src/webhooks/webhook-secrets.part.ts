import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type SecretUser, type SecretUses, SecretUsesRegistry } from '@heddle/secrets';
import type { EntityManager } from 'typeorm';
import { WebhooksRepository } from './webhooks.repository.js';

/** Says which webhooks use a secret, so that nobody deletes it or gives it a value that they can't use. */
@Injectable()
export class WebhookSecretsPart implements SecretUser, OnModuleInit {
  constructor(
    private readonly uses: SecretUsesRegistry,
    private readonly webhooks: WebhooksRepository,
  ) {}

  onModuleInit(): void {
    this.uses.include(this);
  }

  async usesOf(db: EntityManager, teamId: string, secret: string): Promise<SecretUses> {
    const webhooks = await this.webhooks.findBySecret(db, teamId, secret);
    return {
      asAccessToken: webhooks.filter(({ accessTokenRef }) => accessTokenRef === secret).map(({ name }) => name),
      asSigningSecret: webhooks.filter(({ secretRef }) => secretRef === secret).map(({ name }) => name),
    };
  }
}
