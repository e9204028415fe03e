import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { HandlesJob, type JobHandler } from '@heddle/queues';
import type { DataSource, EntityManager } from 'typeorm';
import { CollectionNotFoundError, VersionLinkedError } from '../artifacts.errors.js';
import { EXPIRES_AT } from '../versions/time-to-live.js';
import { ArtifactWriter } from '../writing/artifact.writer.js';
import { MembershipWriter } from '../writing/membership.writer.js';
import { BlobsService } from './blobs.service.js';

const MINUTES = 10;
/** Deleted one by one: others wait for a collection no longer than for one of its versions. */
const BATCH = 500;
/** Nobody's doing, but a rule's. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Whoever made it may be gone, and with them the run. */
const EXPIRED = `
  SELECT v.id, v.created_by, c.id AS collection_id, c.name AS collection, c.type,
         p.id AS project_id, p.name AS project, t.id AS team_id, t.name AS entity
    FROM artifact_versions v
    JOIN artifact_collections c ON c.id = v.collection_id
    JOIN projects p ON p.id = c.project_id
    JOIN teams t ON t.id = p.team_id
   WHERE ($1::uuid IS NULL OR v.id = $1) AND (${EXPIRES_AT}) < now() AND NOT (v.id = ANY ($2::uuid[]))
   ORDER BY v.created_at LIMIT ${BATCH}`;

interface ExpiredVersion {
  id: string;
  created_by: string;
  collection_id: string;
  collection: string;
  type: string;
  project_id: number;
  project: string;
  team_id: string;
  entity: string;
}

/** Deletes versions whose time is over, as users do: files go with the last version that has them, `latest` goes back. */
@Injectable()
@HandlesJob({ name: 'expire-artifacts', queues: ['cpu'], every: MINUTES * 60_000 })
export class ExpireArtifactsHandler implements JobHandler {
  private readonly logger = new Logger(ExpireArtifactsHandler.name);

  constructor(
    private readonly writer: ArtifactWriter,
    private readonly memberships: MembershipWriter,
    private readonly blobs: BlobsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async handle(): Promise<void> {
    let deleted = 0;
    // What could not be deleted is not tried again before the next time.
    const kept: string[] = [];
    for (;;) {
      const expired = await find(this.dataSource.manager, null, kept);
      if (expired.length === 0) break;
      for (const version of expired) {
        if (await this.expire(version)) deleted++;
        else kept.push(version.id);
      }
    }
    if (deleted > 0) this.logger.log({ deleted }, 'artifacts expired');
  }

  private async expire(version: ExpiredVersion): Promise<boolean> {
    const { id, collection_id, collection, type, project_id, project, team_id, entity } = version;
    const place = { teamId: team_id, entity, project: { id: project_id, name: project }, registry: null };
    const ref = { id: collection_id, name: collection, type, place };
    try {
      const contents = await this.dataSource.transaction(async (manager) => {
        await this.memberships.lock(manager, ref);
        await manager.query('SELECT 1 FROM artifact_versions WHERE id = $1 FOR UPDATE', [id]);
        // Somebody may have said otherwise meanwhile.
        if ((await find(manager, id, [])).length === 0) return null;
        return this.writer.delete(manager, { userId: NOBODY, username: version.created_by }, ref, id);
      });
      if (contents === null) return false;
      await this.blobs.collect(contents);
      return true;
    } catch (error) {
      if (error instanceof VersionLinkedError || error instanceof CollectionNotFoundError) return false;
      throw error;
    }
  }
}

const find = (manager: EntityManager, id: string | null, without: readonly string[]): Promise<ExpiredVersion[]> =>
  manager.query<ExpiredVersion[]>(EXPIRED, [id, without]);
