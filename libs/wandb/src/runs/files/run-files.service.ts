import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { BlobsService, checkFilePath, type Incoming, MAX_FILE_BYTES } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { NotFoundError } from '@heddle/http';
import { RunNotFoundError } from '@heddle/runs';
import type { DataSource } from 'typeorm';
import { UrlSigner } from '../../transfers/url-signer.js';
import type { RunPlace } from '../sdk-runs.service.js';
import { SdkRunsService } from '../sdk-runs.service.js';
import { type RunFileFilter, type RunFileRow, RunFilesRepository } from './run-files.repository.js';

export interface RunFileUpload {
  name: string;
  uploadUrl: string;
}

/** Files of runs: media, the console's log, what the client says of its machine. Their content is in the artifacts' store. */
@Injectable()
export class RunFilesService {
  constructor(
    private readonly runs: SdkRunsService,
    private readonly files: RunFilesRepository,
    private readonly blobs: BlobsService,
    private readonly urls: UrlSigner,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Addresses to upload files to. */
  async prepare(
    caller: Principal,
    place: RunPlace & { files: string[] },
    baseUrl: string,
  ): Promise<{ runId: string; files: RunFileUpload[] }> {
    const { run } = await this.runs.find(caller, place, 'member');
    const files = place.files.map((name, index) => {
      const path = checkFilePath(name, ['variables', 'files', index]);
      return { name, uploadUrl: this.urls.sign(baseUrl, { kind: 'put-run-file', run: run.id, path }) };
    });
    return { runId: run.id, files };
  }

  async receive(runId: string, path: string, { content, length }: Incoming): Promise<void> {
    const file = await this.blobs.receive(content, MAX_FILE_BYTES, length);
    try {
      await this.dataSource.transaction(async (manager) => {
        const held = await manager.query<unknown[]>('SELECT 1 FROM runs WHERE id = $1 FOR KEY SHARE', [runId]);
        if (held.length === 0) throw new RunNotFoundError(runId, 'of yours');
        await this.blobs.hold(manager, file);
        await this.files.put(manager, runId, path, file.sha256);
      });
    } finally {
      await file.discard();
    }
  }

  /** @param ids `run:path`, as the list of files has them. Those that are gone already are no error. */
  async delete(caller: Principal, ids: readonly string[]): Promise<void> {
    const files = ids.map((id) => {
      const [, run = id, path = ''] = /^([^:]*):(.*)$/s.exec(id) ?? [];
      return { run, path };
    });
    for (const run of new Set(files.map((file) => file.run))) await this.runs.findById(caller, run, 'member');
    const contents = await this.dataSource.transaction(async (manager) => {
      const removed: string[] = [];
      for (const { run, path } of files) removed.push(...(await this.files.remove(manager, run, path)));
      return removed;
    });
    await this.blobs.collect(contents);
  }

  list(runId: string, filter: RunFileFilter, limit: number): Promise<RunFileRow[]> {
    return this.files.findPage(runId, filter, limit);
  }

  count(runId: string): Promise<number> {
    return this.files.count(runId);
  }

  async get(caller: Principal, place: RunPlace, path: string): Promise<RunFileRow> {
    const { run } = await this.runs.find(caller, place, 'viewer');
    const [file] = await this.files.findPage(run.id, { names: [path] }, 1);
    if (!file) throw new NotFoundError(`Run '${run.name}' has no file '${path}'`, 'file_not_found');
    return file;
  }
}
