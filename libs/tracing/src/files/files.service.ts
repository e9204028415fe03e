import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { encodeText } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { bytesDigest } from '../objects/digest.js';
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

  /** A small file, made of text. @returns its digest */
  async createFromText(caller: Principal, projectId: string, text: string): Promise<string> {
    const project = await this.projects.findOrCreate(caller, parseProjectId(projectId));
    const bytes = Buffer.from(text);
    const digest = bytesDigest(bytes);
    const chunks = (): AsyncIterable<Buffer> => Readable.from([...inChunks(bytes)]);
    if (!(await this.files.has(project.id, digest))) await this.files.save(project.id, digest, bytes.length, chunks);
    return digest;
  }

  /** A file as text; '' where there is none. */
  async text(caller: Principal, projectId: string, digest: string): Promise<string> {
    const project = await this.projects.find(caller, parseProjectId(projectId));
    const chunks: Buffer[] = [];
    if (project) for await (const chunk of this.files.read(project.id, encodeText(digest))) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
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

function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}
