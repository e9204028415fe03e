import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Secret } from '@heddle/database';
import { type DataSource, type EntityManager, In } from 'typeorm';
import { KeyRingService } from './key-ring.service.js';
import { SecretNotFoundError } from './secrets.errors.js';

/**
 * Reads secrets' values, at the moment of their use: none is remembered, so that a rotation counts from the next use on.
 * Whoever calls this has checked that the use is the team's own.
 */
@Injectable()
export class SecretVaultService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly keys: KeyRingService,
  ) {}

  /** @throws SecretNotFoundError, SecretUnreadableError, SecretsKeyMissingError */
  async reveal(teamId: string, name: string): Promise<string> {
    return (await this.revealAll(teamId, [name])).get(name)!;
  }

  /**
   * The values by name, in one query.
   * @throws SecretNotFoundError for the first that is missing
   */
  async revealAll(teamId: string, names: readonly string[]): Promise<Map<string, string>> {
    if (names.length === 0) return new Map();
    return this.open(await this.dataSource.manager.findBy(Secret, { teamId, name: In([...names]) }), names);
  }

  /** As {@link revealAll}; until the transaction ends, none of them is rotated or deleted. */
  async hold(db: EntityManager, teamId: string, names: readonly string[]): Promise<Map<string, string>> {
    if (names.length === 0) return new Map();
    const found = await db.find(Secret, {
      where: { teamId, name: In([...names]) },
      // In one order, so that two holders never wait for each other.
      order: { name: 'ASC' },
      lock: { mode: 'pessimistic_read' },
    });
    return this.open(found, names);
  }

  private open(secrets: Secret[], names: readonly string[]): Map<string, string> {
    const values = new Map(secrets.map((secret) => [secret.name, this.keys.open(secret, secret)]));
    const missing = names.find((name) => !values.has(name));
    if (missing !== undefined) throw new SecretNotFoundError(missing);
    return values;
  }
}
