import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { encodeText } from '@heddle/json';
import type pg from 'pg';
import { isoTime } from '../query/time-literal.js';
import { VISIBLE_CALL } from '../store/call-record.js';
import { indexedText } from '../values/indexed-text.js';
import type { QueryDatasets, QuerySources } from './dataset-sources.schema.js';

/** A link to be written. Texts are encoded; times as ISO 8601. */
export interface LinkWrite {
  id: string;
  dataset_object_id: string;
  row_digest: string;
  source_kind: string;
  source_id: string;
  source_trace_id: string;
  source_started_at: string;
  source_display_name: string;
  /** JSON text. */
  link_metadata: string | null;
}

export interface LinkRow extends LinkWrite {
  added_by: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface MembershipRow {
  source_kind: string;
  source_id: string;
  source_trace_id: string;
  dataset_object_id: string;
  row_digests: string[];
  total: number;
  first_seen_at: string;
}

/** A call or a span as it is now. Texts as stored. */
export interface SourceCall {
  /** As it was asked for. */
  n: number;
  trace_id: string;
  op_name: string;
  started_at: string;
  long_texts: Record<string, string> | null;
}

@Injectable()
export class DatasetSourcesRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** The calls with these ids that are to be seen. */
  async calls(projectId: number, ids: string[]): Promise<SourceCall[]> {
    const { rows } = await this.pool.query<SourceCall>(CALLS, [projectId, ids.map(indexedText)]);
    return rows;
  }

  /** Writes links; those that were deleted are there again. Returns, by their ids, which weren't there. */
  async link(projectId: number, links: LinkWrite[], addedBy: string): Promise<Set<string>> {
    // Sorted, so that two requests with the same links don't wait for each other in turn.
    const sorted = [...links].sort((a, b) => (a.id < b.id ? -1 : 1));
    const { rows } = await this.pool.query<{ id: string; was: boolean }>(LINK, [
      projectId,
      JSON.stringify(sorted),
      addedBy,
    ]);
    return new Set(rows.filter(({ was }) => !was).map(({ id }) => id));
  }

  /** Whether each link is there, by its id; deleted ones are there, and false. */
  async alive(projectId: number, ids: string[]): Promise<Map<string, boolean>> {
    const { rows } = await this.pool.query<{ id: string; alive: boolean }>(
      'SELECT id, deleted_at IS NULL AS alive FROM dataset_sources WHERE project_id = $1 AND id = ANY($2)',
      [projectId, ids.map(encodeText)],
    );
    return new Map(rows.map(({ id, alive }) => [id, alive]));
  }

  /** Returns the ids of those that were there until now. */
  async unlink(projectId: number, ids: string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ id: string }>(
      `UPDATE dataset_sources SET deleted_at = now(), updated_at = now()
       WHERE project_id = $1 AND id = ANY($2) AND deleted_at IS NULL RETURNING id`,
      [projectId, ids.map(encodeText)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async query(projectId: number, request: QuerySources, most: number): Promise<LinkRow[]> {
    const { rows } = await this.pool.query<LinkRow>(QUERY, [
      ...[projectId, encodeText(request.dataset_object_id), request.row_digests?.map(encodeText) ?? null],
      ...[request.source_kinds ?? null, request.include_deleted ?? false, request.limit ?? most, request.offset ?? 0],
    ]);
    return rows;
  }

  async datasets(projectId: number, { sources, include_deleted }: QueryDatasets, most: number) {
    const wanted = sources.map((source) => ({
      kind: source.source_kind,
      id: encodeText(source.source_id),
      trace: encodeText(source.source_trace_id),
    }));
    const values = [projectId, JSON.stringify(wanted), include_deleted ?? false, most];
    return (await this.pool.query<MembershipRow>(DATASETS, values)).rows;
  }
}

const CALLS = `
  SELECT wanted.n::int - 1 AS n, COALESCE(c.trace_id, '') AS trace_id, COALESCE(c.op_name, '') AS op_name,
    ${isoTime('c.started_at')} AS started_at, c.long_texts
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, n)
  CROSS JOIN LATERAL (SELECT * FROM calls WHERE project_id = $1 AND id = wanted.id OFFSET 0) c
  WHERE ${VISIBLE_CALL}`;

const WRITTEN = `id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, source_started_at,
  source_display_name, link_metadata`;

const LINK = `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS link (id text, dataset_object_id text, row_digest text, source_kind text,
      source_id text, source_trace_id text, source_started_at timestamptz, source_display_name text, link_metadata text)
  ), before AS MATERIALIZED (
    SELECT d.id FROM dataset_sources d WHERE d.project_id = $1 AND d.deleted_at IS NULL
      AND d.id IN (SELECT id FROM wanted)
  ), written AS (
    INSERT INTO dataset_sources AS d (project_id, ${WRITTEN}, added_by)
    SELECT $1, ${WRITTEN}, $3 FROM wanted ORDER BY id
    ON CONFLICT (project_id, id) DO UPDATE SET source_started_at = excluded.source_started_at,
      source_display_name = excluded.source_display_name, link_metadata = excluded.link_metadata,
      added_by = excluded.added_by, updated_at = now(), deleted_at = NULL
    RETURNING d.id
  )
  SELECT w.id, b.id IS NOT NULL AS was FROM written w LEFT JOIN before b ON b.id = w.id`;

const QUERY = `
  SELECT d.id, d.dataset_object_id, d.row_digest, d.source_kind, d.source_id, d.source_trace_id,
    ${isoTime('d.source_started_at')} AS source_started_at, d.source_display_name, d.link_metadata, d.added_by,
    ${isoTime('d.created_at')} AS created_at, ${isoTime('d.updated_at')} AS updated_at,
    ${isoTime('d.deleted_at')} AS deleted_at
  FROM dataset_sources d
  WHERE d.project_id = $1 AND d.dataset_object_id = $2 AND ($3::text[] IS NULL OR d.row_digest = ANY($3))
    AND ($4::text[] IS NULL OR d.source_kind = ANY($4)) AND ($5 OR d.deleted_at IS NULL)
  ORDER BY d.row_digest, d.source_kind, d.source_id, d.source_trace_id LIMIT $6 OFFSET $7`;

const DATASETS = `
  SELECT d.source_kind, d.source_id, d.source_trace_id, d.dataset_object_id,
    (array_agg(d.row_digest ORDER BY d.row_digest))[1:$4] AS row_digests, count(*)::int AS total,
    ${isoTime('min(d.created_at)')} AS first_seen_at
  FROM (SELECT DISTINCT * FROM json_to_recordset($2::json) AS w (kind text, id text, trace text)) wanted
  JOIN dataset_sources d ON d.project_id = $1 AND d.source_id = wanted.id AND d.source_kind = wanted.kind
    AND d.source_trace_id = wanted.trace
  WHERE $3 OR d.deleted_at IS NULL
  GROUP BY d.source_kind, d.source_id, d.source_trace_id, d.dataset_object_id
  ORDER BY d.source_kind, d.source_id, d.source_trace_id, d.dataset_object_id`;
