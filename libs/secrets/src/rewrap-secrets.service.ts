import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Secret } from '@heddle/database';
import { type DataSource, MoreThan, Not } from 'typeorm';
import { KeyRingService } from './key-ring.service.js';
import { SecretUnreadableError } from './secrets.errors.js';

const BATCH = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface RewrapResult {
  rewrapped: number;
  /** Names of those that no key opens. */
  unreadable: string[];
}

/**
 * Encrypts every secret anew that isn't under SECRETS_KEY. It may run while the API and the worker do, may be stopped at
 * any moment and started again, and leaves what is done alone.
 */
@Injectable()
export class RewrapSecretsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly keys: KeyRingService,
  ) {}

  async run(): Promise<RewrapResult> {
    const result: RewrapResult = { rewrapped: 0, unreadable: [] };
    let after: string | undefined = FIRST_ID;
    while (after) after = await this.rewrapAfter(after, result);
    return result;
  }

  /** @returns the last id of the batch; undefined at the end */
  private async rewrapAfter(id: string, result: RewrapResult): Promise<string | undefined> {
    const secrets = this.dataSource.getRepository(Secret);
    const batch = await secrets.find({
      where: { id: MoreThan(id), keyId: Not(this.keys.currentKeyId) },
      order: { id: 'ASC' },
      take: BATCH,
    });
    for (const secret of batch) {
      const { id, version, keyId } = secret;
      try {
        const sealed = this.keys.seal(this.keys.open(secret, secret), secret);
        // A value that was rotated meanwhile stays.
        const { affected } = await secrets.update({ id, version, keyId }, sealed);
        result.rewrapped += affected ?? 0;
      } catch (error) {
        if (!(error instanceof SecretUnreadableError)) throw error;
        result.unreadable.push(secret.name);
      }
    }
    return batch.at(-1)?.id;
  }
}
