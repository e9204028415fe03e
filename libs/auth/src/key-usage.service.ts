import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

const MINUTE_MS = 60_000;

/** The condition holds the rate across processes. */
const TOUCH = `
  UPDATE api_keys SET last_used_at = now()
   WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`;

/** Keeps `last_used_at`: to the minute, beside the request, and never at the request's cost. */
@Injectable()
export class KeyUsageService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyUsageService.name);
  private readonly recent = new LRUCache<string, true>({ max: 10_000, ttl: MINUTE_MS });
  private readonly writes = new Set<Promise<void>>();

  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  record(keyId: string): void {
    if (this.recent.has(keyId)) return;
    this.recent.set(keyId, true);
    const write = this.write(keyId).finally(() => this.writes.delete(write));
    this.writes.add(write);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes);
  }

  private async write(keyId: string): Promise<void> {
    try {
      await this.pool.query(TOUCH, [keyId]);
    } catch (err) {
      this.logger.warn({ err, keyId }, 'last use of a key not recorded');
    }
  }
}
