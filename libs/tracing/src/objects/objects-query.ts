import { ValidationError } from '@heddle/http';
import { encodeText } from '@heddle/json';
import { IS_LATEST, type ObjectDetails, objectColumns } from './object-row.js';
import type { QueryObjects } from './objects.schema.js';

type Filter = NonNullable<QueryObjects['filter']>;

const SORTABLE: Readonly<Record<string, string>> = { object_id: 'o.object_id', created_at: 'o.created_at' };

/** The statement of `/objs/query`. Deleted versions are left out. */
export function objectsQuery(
  projectId: number,
  query: QueryObjects,
  details: ObjectDetails,
): { text: string; values: unknown[] } {
  const values: unknown[] = [projectId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditions(query.filter ?? {}, bind);
  const text = `
    SELECT ${objectColumns(details)} FROM trace_objects o
    WHERE o.project_id = $1 AND o.deleted_at IS NULL ${where.map((condition) => `AND ${condition}`).join(' ')}
    ORDER BY ${[...sortKeys(query.sort_by ?? []), 'o.object_id', 'o.kind', 'o.version_index'].join(', ')}
    LIMIT ${bind(query.limit ?? null)} OFFSET ${bind(query.offset ?? 0)}`;
  return { text, values };
}

function conditions(filter: Filter, bind: (value: unknown) => string): string[] {
  const texts = (names: string[]): string => bind(names.map(encodeText));
  const label = (table: string, column: string, names: string[]): string => `EXISTS (
    SELECT FROM ${table} x WHERE x.project_id = o.project_id AND x.object_id = o.object_id AND x.digest = o.digest
      AND x.${column} = ANY(${texts(names)}))`;
  const found: (string | false)[] = [
    filter.object_ids != null && `o.object_id = ANY(${texts(filter.object_ids)})`,
    filter.base_object_classes != null && `o.base_object_class = ANY(${texts(filter.base_object_classes)})`,
    filter.exclude_base_object_classes != null &&
      `(o.base_object_class = ANY(${texts(filter.exclude_base_object_classes)})) IS NOT TRUE`,
    filter.leaf_object_classes != null && `o.leaf_object_class = ANY(${texts(filter.leaf_object_classes)})`,
    filter.is_op != null && `o.kind = ${filter.is_op ? "'op'" : "'object'"}`,
    filter.latest_only === true && IS_LATEST,
    filter.tags != null && label('trace_object_tags', 'tag', filter.tags),
    filter.aliases != null && aliasCondition(filter.aliases, label),
  ];
  return found.filter((condition) => condition !== false);
}

/** `latest` is an alias that nobody sets. */
function aliasCondition(aliases: string[], label: (table: string, column: string, names: string[]) => string): string {
  const set = label('trace_object_aliases', 'alias', aliases);
  return aliases.includes('latest') ? `(${IS_LATEST} OR ${set})` : set;
}

function sortKeys(sortBy: NonNullable<QueryObjects['sort_by']>): string[] {
  return sortBy.map(({ field, direction }, i) => {
    const column = SORTABLE[field];
    if (column && Object.hasOwn(SORTABLE, field)) return `${column} ${direction === 'desc' ? 'DESC' : 'ASC'}`;
    throw ValidationError.at(['body', 'sort_by', i, 'field'], 'must be object_id or created_at', 'unknown_field');
  });
}
