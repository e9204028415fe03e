import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, type ProjectName } from '@heddle/projects';
import { Type } from 'typebox';
import { Limit, Offset } from '../request/page.schema.js';
import { fieldReader } from '../request/read-fields.js';
import type { PriceSpan } from '../costs/price-spans.js';
import type { ExpandedValues } from './expansion/expanded-fields.js';
import { PAYLOADS } from './call-field.js';

const MAX_COLUMNS = 1000;

const CallQueryFields = Type.Object({
  project_id: Type.Optional(Type.Unknown()),
  limit: Type.Optional(Limit),
  offset: Type.Optional(Offset),
  columns: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_COLUMNS })),
  include_costs: Type.Optional(Type.Boolean()),
  include_feedback: Type.Optional(Type.Boolean()),
  include_storage_size: Type.Optional(Type.Boolean()),
  include_total_storage_size: Type.Optional(Type.Boolean()),
  expand_columns: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 50 })),
  return_expanded_column_values: Type.Optional(Type.Boolean()),
});

const readFields = fieldReader(CallQueryFields);

/** What `/calls/stream_query` and `/calls/query_stats` are asked. */
export interface CallQueryRequest {
  project: ProjectName;
  filter?: JsonNode;
  /** The condition under `query.$expr`. */
  expression?: JsonNode;
  sortBy?: JsonNode;
  limit?: number;
  offset?: number;
  /** Members of the answer's calls; undefined: all of them. */
  members?: ReadonlySet<string>;
  /** Payloads that needn't be read for the answer. */
  unread: readonly string[];
  includeCosts: boolean;
  includeFeedback: boolean;
  /** Whether a condition or a sort may ask what calls cost. */
  namesCosts: boolean;
  prices?: readonly PriceSpan[];
  includeStorageSize: boolean;
  includeTotalStorageSize: boolean;
  /** Places of references that are followed: `inputs.model`. */
  expandColumns: readonly string[];
  /** Whether the answer has what they name, too, or only conditions and sort keys look at it. */
  returnExpanded: boolean;
  expanded?: readonly ExpandedValues[];
}

/** Those that the SDKs' types require, asked for or not. A payload that wasn't asked for is `{}`. */
const REQUIRED = ['id', 'project_id', 'op_name', 'trace_id', 'started_at', 'attributes', 'inputs'];

/** There if they were asked for, by an option of their own. */
const SIZES = ['storage_size_bytes', 'total_storage_size_bytes'];

/** @throws ValidationError */
export function readCallQuery(body: JsonNode): CallQueryRequest {
  const fields = readFields(body);
  const [includeCosts, includeFeedback] = [fields.include_costs === true, fields.include_feedback === true];
  return {
    project: parseProjectId(fields.project_id),
    filter: body.get('filter'),
    expression: expressionOf(body.get('query')),
    sortBy: body.get('sort_by'),
    limit: fields.limit,
    offset: fields.offset,
    ...projection(fields.columns ?? [], includeCosts || includeFeedback),
    includeCosts,
    includeFeedback,
    includeStorageSize: fields.include_storage_size === true,
    includeTotalStorageSize: fields.include_total_storage_size === true,
    expandColumns: fields.expand_columns ?? [],
    returnExpanded: fields.return_expanded_column_values !== false,
    namesCosts: ['query', 'sort_by'].some((name) => body.get(name)?.raw().includes('summary.weave.costs.')),
  };
}

function expressionOf(query: JsonNode | undefined): JsonNode | undefined {
  if (!query || query.kind === 'null') return undefined;
  const expression = query.get('$expr');
  if (!expression) throw ValidationError.at(['body', 'query', '$expr'], '$expr is required', 'missing');
  return expression;
}

/** A column within a payload (`inputs.a`) stands for the whole payload. */
function projection(columns: string[], withSummary: boolean): Pick<CallQueryRequest, 'members' | 'unread'> {
  if (columns.length === 0) return { unread: [] };
  const asked = new Set(columns.map((column) => column.split('.', 1)[0]!));
  if (withSummary) asked.add('summary');
  return {
    members: new Set([...REQUIRED, ...asked, ...SIZES]),
    unread: [...PAYLOADS, 'otel_dump'].filter((payload) => !asked.has(payload)),
  };
}
