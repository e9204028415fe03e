import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { encodeText, type JsonNode, jsonObject, raw } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { tableDigest } from '../objects/digest.js';
import { DigestMismatchError } from '../objects/objects.errors.js';
import { streamedAnswer } from '../request/streamed-answer.js';
import { TableReader, type TableRow } from './table-reader.js';
import { TableRowsWriter } from './table-rows.writer.js';
import { applyUpdates, readUpdates } from './table-updates.js';
import { RowNotFoundError, TableNotFoundError } from './tables.errors.js';
import { TablesRepository, type TableSize } from './tables.repository.js';
import type { BaseTable, NewTable, QueryTable, TableFromDigests, TablesStats, TableStats } from './tables.schema.js';

/** Tables: ordered lists of rows, known by the digest of their content. */
@Injectable()
export class TablesService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly tables: TablesRepository,
    private readonly writer: TableRowsWriter,
    private readonly reader: TableReader,
  ) {}

  async create(
    caller: Principal,
    fields: NewTable,
    rows: JsonNode,
  ): Promise<{ digest: string; row_digests: string[] }> {
    const project = await this.projects.findOrCreate(
      caller,
      parseProjectId(fields.project_id, ['body', 'table', 'project_id']),
    );
    const rowDigests = await this.writer.write(project.id, rows.items(), ['body', 'table', 'rows']);
    return { digest: await this.save(project.id, rowDigests, fields.expected_digest), row_digests: rowDigests };
  }

  async createFromDigests(caller: Principal, request: TableFromDigests): Promise<{ digest: string }> {
    const project = await this.projects.findOrCreate(caller, parseProjectId(request.project_id));
    const missing = await this.tables.missingRow(project.id, request.row_digests.map(encodeText));
    if (missing !== undefined) throw new RowNotFoundError(missing);
    return { digest: await this.save(project.id, request.row_digests, request.expected_digest) };
  }

  /** A new table, made from another one. Answers with the digests of the rows that went in or out. */
  async update(
    caller: Principal,
    request: BaseTable,
    updates: JsonNode,
  ): Promise<{ digest: string; updated_row_digests: string[] }> {
    const project = await this.projects.findWritable(caller, parseProjectId(request.project_id));
    const base = project && (await this.tables.rowDigests(project.id, encodeText(request.base_digest)));
    if (!project || !base) throw new TableNotFoundError(request.base_digest);
    const changes = readUpdates(updates);
    const newRows = changes.flatMap((change) => ('row' in change ? [change.row] : []));
    const newDigests = await this.writer.write(project.id, newRows, ['body', 'updates']);
    const updated = applyUpdates(base, changes, newDigests);
    return { digest: await this.save(project.id, base), updated_row_digests: updated };
  }

  async query(caller: Principal, request: QueryTable): Promise<StreamableFile> {
    const { projectId, size } = await this.find(caller, request);
    const query = { ...request, digest: size.digest };
    return streamedAnswer(tableText(this.reader.read(projectId, size.count, query)), 'application/json');
  }

  async count(caller: Principal, request: TableStats): Promise<number> {
    return (await this.find(caller, request)).size.count;
  }

  /** Sizes of those tables that exist, in the order in which they were asked for. */
  async sizes(caller: Principal, request: TablesStats): Promise<TableSize[]> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const digests = (request.digests ?? []).map(encodeText);
    const sizes = project ? await this.tables.sizes(project.id, digests, request.include_storage_size ?? false) : [];
    const byDigest = new Map(sizes.map((size) => [size.digest, size]));
    return digests.flatMap((digest) => byDigest.get(digest) ?? []);
  }

  private async find(caller: Principal, request: TableStats): Promise<{ projectId: number; size: TableSize }> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    const [size] = project ? await this.tables.sizes(project.id, [encodeText(request.digest)], false) : [];
    if (!project || !size) throw new TableNotFoundError(request.digest);
    return { projectId: project.id, size };
  }

  private async save(projectId: number, rowDigests: string[], expected?: string): Promise<string> {
    const digest = tableDigest(rowDigests);
    if (expected !== undefined && expected !== digest) throw new DigestMismatchError(expected, digest);
    await this.tables.save(projectId, digest, rowDigests);
    return digest;
  }
}

/** `{"rows": [...]}`, a page of rows at a time. */
async function* tableText(pages: AsyncGenerator<TableRow[], void>): AsyncGenerator<Buffer, void> {
  let separator = '{"rows":[';
  for await (const rows of pages) {
    const parts: Buffer[] = [];
    for (const { digest, val, original_index } of rows) {
      const row = jsonObject([
        ['digest', digest],
        ['val', raw(val)],
        ['original_index', original_index],
      ]);
      parts.push(Buffer.from(separator), row);
      separator = ',';
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  }
  yield Buffer.from(separator === ',' ? ']}' : '{"rows":[]}');
}
