import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { FileStore, HeldBlobsService } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { TarWriter } from '@heddle/files';
import { ProjectAccessService, type ProjectName } from '@heddle/projects';
import type { Response } from 'express';
import { ArchiveSlots } from '../archive.slots.js';
import { ProjectSnapshot } from './project-snapshot.js';

/** Archives of what a caller may read. */
@Injectable()
export class ExportService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly store: FileStore,
    private readonly held: HeldBlobsService,
    private readonly slots: ArchiveSlots,
    private readonly env: Env,
  ) {}

  /**
   * Answers with an archive, as it is made. What goes wrong before it begins is an ordinary error; later the connection is
   * cut, so that half an archive can't be taken for a whole one.
   * @param runs null: the whole project
   */
  async send(caller: Principal, name: ProjectName, runs: readonly string[] | null, response: Response): Promise<void> {
    const project = await this.access.get(caller, name);
    const release = this.slots.take();
    try {
      const url = this.env.directDatabaseUrl!;
      const snapshot = await ProjectSnapshot.open(url, project, runs, this.store, this.held);
      try {
        response.set({
          'content-type': 'application/x-tar',
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${project.name}.heddle.tar`)}`,
        });
        await snapshot.writeTo(new TarWriter((tar) => pipeline(tar, response)));
      } catch (error) {
        response.destroy();
        throw error;
      } finally {
        await snapshot.close();
      }
    } finally {
      release();
    }
  }
}
