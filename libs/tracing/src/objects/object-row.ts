import type { ObjectKind } from '@heddle/database';
import { decodeText, type JsonMember, raw } from '@heddle/json';
import { isoTime } from '../query/time-literal.js';

/** A row of `trace_objects` as {@link OBJECT_COLUMNS} selects it. Texts as stored, times as ISO 8601. */
export interface ObjectRow {
  object_id: string;
  digest: string;
  version_index: number;
  kind: ObjectKind;
  base_object_class: string | null;
  leaf_object_class: string | null;
  wb_user_id: string | null;
  created_at: string;
  deleted_at: string | null;
  is_latest: boolean;
  size_bytes: number;
  /** JSON text; null where only metadata was asked for. */
  val: string | null;
  tags: string[];
  aliases: string[];
}

/** No version of the same object that was published later is alive. */
export const IS_LATEST = `(o.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM trace_objects l
    WHERE l.project_id = o.project_id AND l.object_id = o.object_id AND l.kind = o.kind
      AND l.published > o.published AND l.deleted_at IS NULL))`;

export interface ObjectDetails {
  val: boolean;
  labels: boolean;
}

/** The select list of an {@link ObjectRow}, over `trace_objects o`. */
export const objectColumns = (details: ObjectDetails): string => `
  o.object_id, o.digest, o.version_index, o.kind, o.base_object_class, o.leaf_object_class, o.wb_user_id,
  ${isoTime('o.created_at')} AS created_at, ${isoTime('o.deleted_at')} AS deleted_at, ${IS_LATEST} AS is_latest,
  octet_length(o.val) AS size_bytes, ${details.val ? 'o.val' : 'NULL AS val'},
  ${details.labels ? LABELS : "'{}'::text[] AS tags, '{}'::text[] AS aliases"}`;

const LABELS = `
  ARRAY(SELECT tag FROM trace_object_tags t
    WHERE t.project_id = o.project_id AND t.object_id = o.object_id AND t.digest = o.digest ORDER BY tag) AS tags,
  ARRAY(SELECT alias FROM trace_object_aliases a
    WHERE a.project_id = o.project_id AND a.object_id = o.object_id AND a.digest = o.digest ORDER BY alias) AS aliases`;

/** An object version as clients see it. */
export function objectMembers(row: ObjectRow, projectId: string, details: ObjectDetails): JsonMember[] {
  const aliases = row.aliases.map(decodeText);
  return [
    ['project_id', projectId],
    ['object_id', decodeText(row.object_id)],
    ['created_at', row.created_at],
    ['deleted_at', row.deleted_at],
    ['digest', row.digest],
    ['version_index', row.version_index],
    ['is_latest', row.is_latest ? 1 : 0],
    ['kind', row.kind],
    ['base_object_class', row.base_object_class && decodeText(row.base_object_class)],
    ['leaf_object_class', row.leaf_object_class && decodeText(row.leaf_object_class)],
    ['wb_user_id', row.wb_user_id],
    ['size_bytes', row.size_bytes],
    ['tags', details.labels ? row.tags.map(decodeText) : undefined],
    ['aliases', details.labels ? (row.is_latest ? ['latest', ...aliases] : aliases) : undefined],
    ['val', raw(row.val ?? '{}')],
  ];
}
