import { createReadStream } from 'node:fs';
import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { encodeText } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { DigestMismatchError } from '../objects/objects.errors.js';
import { streamedAnswer } from '../request/streamed-answer.js';
import { FileNotFoundError } from './files.errors.js';
import { FilesRepository } from './files.repository.js';
import type { ReadFile } from './files.schema.js';
import type { Upload } from './uploads.js';

/** Bytes of a file that one row holds. */
const CHUNK_BYTES = 1024 * 1024;

/** Files that objects and calls refer to by the digest of their bytes: images, audio, code. */
@Injectable()
export class FilesService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly files: FilesRepository,
  ) {}

  async create(caller: Principal, { fields, path, digest, sizeBytes }: Upload): Promise<{ digest: string }> {
    const project = await this.projects.findOrCreate(caller, parseProjectId(fields.get('project_id')));
    const expected = fields.get('expected_digest');
    if (expected && expected !== digest) throw new DigestMismatchError(expected, digest);
    if (!(await this.files.has(project.id, digest))) {
      const chunks = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: CHUNK_BYTES });
      await this.files.save(project.id, digest, sizeBytes, chunks);
    }
    return { digest };
  }

  async content(caller: Principal, request: ReadFile): Promise<StreamableFile> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const digest = encodeText(request.digest);
    const size = project && (await this.files.size(project.id, digest));
    if (!project || size === null) throw new FileNotFoundError(request.digest);
    return streamedAnswer(this.files.read(project.id, digest), 'application/octet-stream', size);
  }

  async totalSize(caller: Principal, projectId: string): Promise<number> {
    const project = await this.projects.find(caller, parseProjectId(projectId));
    return project ? this.files.totalSize(project.id) : 0;
  }
}
