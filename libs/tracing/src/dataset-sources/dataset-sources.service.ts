import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { decodeText, encodeText, type JsonNode, raw, type JsonMember } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { originalText } from '../values/indexed-text.js';
import { DatasetSourcesRepository, type LinkWrite, type SourceCall } from './dataset-sources.repository.js';
import {
  type LinkSources,
  MAX_LINKS,
  MAX_ROW_DIGESTS,
  type QueryDatasets,
  type QuerySources,
  type SourceRef,
} from './dataset-sources.schema.js';

const MOST_LINKS_OF_ANSWER = 10_000;

interface NewLink {
  rowDigest: string;
  source: SourceRef;
  metadata: string | null;
  loc: (string | number)[];
}

/** Which calls, spans and conversations the rows of datasets come from. */
@Injectable()
export class DatasetSourcesService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly sources: DatasetSourcesRepository,
  ) {}

  /** All or nothing: a call or span that isn't there is refused. @returns the links, in the order of their sources */
  async link(caller: Principal, request: LinkSources, body: JsonNode): Promise<object[]> {
    const project = await this.access.findOrCreate(caller, parseProjectId(request.project_id));
    const links = newLinks(request, body);
    const calls = new Map(
      (
        await this.sources.calls(
          project.id,
          links.map(({ source }) => source.source_id),
        )
      ).map((call) => [call.n, call]),
    );
    const now = new Date().toISOString();
    const writes = links.map((link, i) => writeOf(request.dataset_object_id, link, calls.get(i), now));
    const unique = [...new Map(writes.map((write) => [write.id, write])).values()];
    const created = await this.sources.link(project.id, unique, caller.username);
    const tells = request.include_created_status ?? false;
    return writes.map(({ id }) => ({ link_id: id, created: tells ? created.has(id) : null }));
  }

  /** @throws ValidationError for an id that no link has, and deletes none then */
  async unlink(caller: Principal, projectId: string, ids: string[]): Promise<object[]> {
    const project = await this.access.findWritable(caller, parseProjectId(projectId));
    const there = await this.sources.alive(project?.id ?? 0, ids);
    const missing = ids.findIndex((id) => !there.has(encodeText(id)));
    if (missing >= 0) throw ValidationError.at(['body', 'link_ids', missing], 'There is no such link', 'unknown_link');
    const deleted = await this.sources.unlink(project?.id ?? 0, ids);
    return ids.map((id) => ({ link_id: id, deleted: deleted.has(encodeText(id)) }));
  }

  async query(caller: Principal, request: QuerySources): Promise<JsonMember[][]> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const rows = project ? await this.sources.query(project.id, request, MOST_LINKS_OF_ANSWER) : [];
    return rows.map(({ link_metadata: metadata, dataset_object_id: _, ...row }) => [
      ...Object.entries(row).map(([name, value]): JsonMember => [name, value === null ? null : decodeText(value)]),
      ['link_metadata', metadata === null ? null : raw(Buffer.from(metadata))],
    ]);
  }

  async datasets(caller: Principal, request: QueryDatasets): Promise<object[]> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const rows = project ? await this.sources.datasets(project.id, request, MAX_ROW_DIGESTS) : [];
    return rows.map(({ total, ...row }) => ({
      source_kind: row.source_kind,
      source_id: decodeText(row.source_id),
      source_trace_id: decodeText(row.source_trace_id),
      dataset_object_id: decodeText(row.dataset_object_id),
      row_digests: row.row_digests.map(decodeText),
      row_digests_truncated: total > MAX_ROW_DIGESTS,
      row_digests_total_count: total,
      first_seen_at: row.first_seen_at,
    }));
  }
}

function newLinks({ links }: LinkSources, body: JsonNode): NewLink[] {
  const nodes = [...(body.get('links')?.items() ?? [])];
  const all = links.flatMap(({ row_digest: rowDigest, sources }, i) => {
    const node = nodes[i]!.get('link_metadata');
    const metadata = node && node.kind !== 'null' ? node.raw().toString() : null;
    return sources.map((source, j) => ({ rowDigest, source, metadata, loc: ['body', 'links', i, 'sources', j] }));
  });
  if (all.length > MAX_LINKS)
    throw ValidationError.at(['body', 'links'], `more than ${MAX_LINKS} sources in all`, 'too_long');
  return all;
}

function writeOf(dataset: string, link: NewLink, call: SourceCall | undefined, now: string): LinkWrite {
  const { source_kind: kind, source_id: id } = link.source;
  const trace = traceOf(link, call);
  const key = [dataset, link.rowDigest, kind, id, trace];
  return {
    // Of the same source of the same row it is the same.
    id: createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32),
    dataset_object_id: encodeText(dataset),
    row_digest: encodeText(link.rowDigest),
    source_kind: kind,
    source_id: encodeText(id),
    source_trace_id: encodeText(trace),
    source_started_at: call && kind !== 'conversation' ? call.started_at : now,
    source_display_name: call && kind !== 'conversation' ? encodeText(originalText(call.op_name, call.long_texts)) : '',
    link_metadata: link.metadata,
  };
}

/** A conversation has many traces, and needn't be there; a call has one, and a span is told by its own. */
function traceOf({ source, loc }: NewLink, call: SourceCall | undefined): string {
  const { source_kind: kind, source_trace_id: trace } = source;
  if (kind === 'conversation') {
    if (trace === '') return '';
    throw ValidationError.at([...loc, 'source_trace_id'], 'must be empty: a conversation has many traces', 'not_empty');
  }
  const known = call && originalText(call.trace_id, call.long_texts);
  if (known !== undefined && (kind === 'call' || known === trace)) return known;
  throw ValidationError.at([...loc, 'source_id'], `There is no such ${kind}`, 'unknown_source');
}
