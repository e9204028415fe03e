import { Webhook } from '@heddle/database';
import type { EntityManager } from 'typeorm';

export interface SecretUses {
  /** Names of the team's webhooks that send the secret as their access token. */
  asAccessToken: string[];
  /** Names of those that sign with it. */
  asSigningSecret: string[];
}

/** What a secret's value must be fit for, and what keeps it from being deleted. */
export async function findSecretUses(db: EntityManager, teamId: string, name: string): Promise<SecretUses> {
  const webhooks = await db.find(Webhook, {
    where: [
      { teamId, accessTokenRef: name },
      { teamId, secretRef: name },
    ],
    order: { name: 'ASC' },
  });
  return {
    asAccessToken: webhooks.filter(({ accessTokenRef }) => accessTokenRef === name).map((webhook) => webhook.name),
    asSigningSecret: webhooks.filter(({ secretRef }) => secretRef === name).map((webhook) => webhook.name),
  };
}
