import { Injectable, Logger } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type pg from 'pg';
import { BlobsService } from './blobs.service.js';
import { HeldBlobsService } from './held-blobs.service.js';

const HOUR_MS = 3_600_000;
/** Hours after which a draft is given up. */
const DRAFT_HOURS = 24;

/** Takes away what nobody will see: drafts that were never committed, and content that no version has. */
@Injectable()
@HandlesJob({ name: 'prune-artifacts', queues: ['cpu'], every: HOUR_MS })
export class PruneArtifactsHandler implements JobHandler {
  private readonly logger = new Logger(PruneArtifactsHandler.name);

  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    private readonly blobs: BlobsService,
    private readonly held: HeldBlobsService,
  ) {}

  async handle(): Promise<void> {
    const givenUp = new Date(Date.now() - DRAFT_HOURS * HOUR_MS);
    const sql = 'DELETE FROM artifact_versions WHERE committed_at IS NULL AND created_at < $1';
    const { rowCount: drafts } = await this.pool.query(sql, [givenUp]);
    await this.held.releaseHeldBefore(givenUp);
    // What is arriving now belongs to nobody yet. Nobody uploads for a day.
    const contents = await this.blobs.collectAll(givenUp);
    if (drafts || contents) this.logger.log({ drafts, contents }, 'artifacts pruned');
  }
}
