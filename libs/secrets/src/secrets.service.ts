import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Principal, requireTeamAdmin } from '@heddle/auth';
import { Secret, Team } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { DataSource, EntityManager } from 'typeorm';
import { KeyRingService } from './key-ring.service.js';
import { SecretUsesRegistry } from './secret-uses.registry.js';
import { accessTokenProblem, refuseProblem, secretValueProblem, signingSecretProblem } from './secret-value.js';
import { SecretExistsError, SecretInUseError, SecretNotFoundError, TooManySecretsError } from './secrets.errors.js';

/** Of a team. */
const MAX_SECRETS = 1000;
const VALUE = ['body', 'value'];

/** A team's secrets as its administrators see them: all but the values. */
@Injectable()
export class SecretsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly keys: KeyRingService,
    private readonly uses: SecretUsesRegistry,
  ) {}

  async create(caller: Principal, team: string, name: string, value: unknown): Promise<Secret> {
    const { teamId } = requireTeamAdmin(caller, team);
    const text = readValue(value);
    return this.dataSource.transaction(async (db) => {
      // One creation of a team after the other: the limit holds.
      await db.findOneOrFail(Team, { where: { id: teamId }, lock: { mode: 'for_no_key_update' } });
      if (await db.existsBy(Secret, { teamId, name })) throw new SecretExistsError(name);
      if ((await db.countBy(Secret, { teamId })) >= MAX_SECRETS) throw new TooManySecretsError(MAX_SECRETS);
      const identity = { id: randomUUID(), teamId, name, version: 1 };
      const who = { createdBy: caller.username, updatedBy: caller.username };
      await db.insert(Secret, { ...identity, ...who, ...this.keys.seal(text, identity) });
      return db.findOneByOrFail(Secret, { id: identity.id });
    });
  }

  async list(caller: Principal, team: string, query: PageQuery): Promise<Secret[]> {
    const { teamId } = requireTeamAdmin(caller, team);
    const secrets = this.dataSource
      .getRepository(Secret)
      .createQueryBuilder('secret')
      .where('secret.teamId = :teamId', { teamId });
    return findPage(secrets, query);
  }

  async get(caller: Principal, team: string, name: string): Promise<Secret> {
    const { teamId } = requireTeamAdmin(caller, team);
    const secret = await this.dataSource.manager.findOneBy(Secret, { teamId, name });
    if (!secret) throw new SecretNotFoundError(name);
    return secret;
  }

  /** Sets a new value, which must be fit for what the secret is used for. */
  async rotate(caller: Principal, team: string, name: string, value: unknown): Promise<Secret> {
    const { teamId } = requireTeamAdmin(caller, team);
    const text = readValue(value);
    return this.dataSource.transaction(async (db) => {
      const secret = await lock(db, teamId, name);
      const { asAccessToken, asSigningSecret } = await this.uses.of(db, teamId, name);
      if (asAccessToken.length > 0) refuseProblem(VALUE, accessTokenProblem(text));
      if (asSigningSecret.length > 0) refuseProblem(VALUE, signingSecretProblem(text));
      const identity = { id: secret.id, teamId, name, version: secret.version + 1 };
      await db.update(
        Secret,
        { id: secret.id },
        {
          ...this.keys.seal(text, identity),
          version: identity.version,
          updatedBy: caller.username,
          updatedAt: new Date(),
        },
      );
      return db.findOneByOrFail(Secret, { id: secret.id });
    });
  }

  /** @throws SecretInUseError, which names the webhooks */
  async delete(caller: Principal, team: string, name: string): Promise<void> {
    const { teamId } = requireTeamAdmin(caller, team);
    await this.dataSource.transaction(async (db) => {
      const { id } = await lock(db, teamId, name);
      const { asAccessToken, asSigningSecret } = await this.uses.of(db, teamId, name);
      const webhooks = [...new Set([...asAccessToken, ...asSigningSecret])].sort();
      if (webhooks.length > 0) throw new SecretInUseError(name, webhooks);
      await db.delete(Secret, { id });
    });
  }
}

/** Held until the transaction ends: no webhook begins to use it, and nobody else rotates or deletes it. */
async function lock(db: EntityManager, teamId: string, name: string): Promise<Secret> {
  const secret = await db.findOne(Secret, { where: { teamId, name }, lock: { mode: 'pessimistic_write' } });
  if (!secret) throw new SecretNotFoundError(name);
  return secret;
}

/** Checked here and not by the DTO, whose refusals repeat what they refuse. */
function readValue(value: unknown): string {
  refuseProblem(VALUE, secretValueProblem(value));
  return value as string;
}
