import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { BlobsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { isMissing } from '@heddle/files';
import { ApiError } from '@heddle/http';
import { ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import type pg from 'pg';
import { ArchiveSlots } from '../archive.slots.js';
import { ArchiveInvalidError, ImportDisturbedError } from '../archives.errors.js';
import { columnsOfTables } from '../tables/table-columns.js';
import { ArchiveReceiver, contentsPath, type ReceivedArchive } from './archive-receiver.js';
import { type Landed, Landing } from './landing.js';
import { PatientDatabase } from './patient-database.js';
import { SpoolFoldersService } from './spool-folders.service.js';

/** Of PostgreSQL: a value that can't be, one that lacks, and one that refers to nothing. */
const FORGED = /^(22|23502|23503|23514)/;
const UNIQUE = '23505';

/** Archives into what a caller may write. */
@Injectable()
export class ImportService {
  private readonly logger = new Logger(ImportService.name);

  constructor(
    private readonly access: ProjectAccessService,
    private readonly blobs: BlobsService,
    private readonly slots: ArchiveSlots,
    private readonly folders: SpoolFoldersService,
    private readonly env: Env,
  ) {}

  /** All of an archive, or nothing. What is there already stays as it is. */
  async import(caller: Principal, name: ProjectName, source: Readable): Promise<Landed> {
    const project = await this.access.requireRole(caller, name, 'member');
    const release = this.slots.take();
    try {
      const landed = await this.folders.within((folder) => this.receive(project, folder, source));
      this.logger.log({ project: `${project.entity}/${project.name}`, ...landed.imported }, 'archive imported');
      return landed;
    } finally {
      release();
    }
  }

  private async receive(project: ProjectRef, folder: string, source: Readable): Promise<Landed> {
    const database = await PatientDatabase.open(this.env.directDatabaseUrl!);
    try {
      const known = await database.withClient((client) => columnsOfTables(client));
      const archive = await new ArchiveReceiver(folder, known, this.blobs).receive(source);
      return await this.land(database, project, archive, folder);
    } catch (error) {
      await this.collect(folder);
      throw error;
    } finally {
      await database.close();
    }
  }

  private async land(
    database: PatientDatabase,
    project: ProjectRef,
    archive: ReceivedArchive,
    folder: string,
  ): Promise<Landed> {
    try {
      return await database.transaction((db, client) => new Landing(db, client, project, archive, folder).land());
    } catch (error) {
      throw error instanceof ApiError ? error : refusalOf(error as pg.DatabaseError);
    }
  }

  private async collect(folder: string): Promise<void> {
    try {
      const lines = createInterface({ input: createReadStream(contentsPath(folder)), crlfDelay: Infinity });
      for await (const sha256 of lines) await this.blobs.collect([sha256]);
    } catch (error) {
      if (!isMissing(error)) this.logger.warn({ err: error }, 'contents of an archive are left for the next pruning');
    }
  }
}

/** What the database says of rows that can't be. */
function refusalOf(error: pg.DatabaseError): Error {
  const { code = '', message, table, constraint } = error;
  if (code === UNIQUE && constraint === 'moved_pkey') return new ArchiveInvalidError('The archive holds an id twice');
  // A content that somebody else let go at this moment.
  if (code === UNIQUE || constraint?.includes('sha256')) return new ImportDisturbedError({ cause: error });
  if (!FORGED.test(code)) return error;
  return new ArchiveInvalidError(`A row in the archive can't be${table ? ` in ${table}` : ''} (${message})`, {
    cause: error,
  });
}
