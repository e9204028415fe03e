import Type, { type TSchema } from 'typebox';
import { Limit, Offset, ProjectId } from '../request/page.schema.js';
import { CallFilter } from './call-filter.js';
import { CallSort } from './call-sort.js';

const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const QUERY = `\`{"$expr": C}\`. Conditions: \`$and\`, \`$or\`, \`$not\` over lists of conditions; \`$eq\`, \`$gt\`, \`$gte\`, \`$lt\`,
\`$lte\` over two operands; \`$in\` over an operand and a list; \`$contains\` with \`{input, substr, case_insensitive}\`.
Operands: \`{"$literal": value}\`, \`{"$getField": "inputs.messages.0.role"}\` (a dot within a key is written \`\\.\`),
\`{"$convert": {"input": operand, "to": "double" | "int" | "string" | "bool" | "exists"}}\`.
\`{"$size": operand}\`: elements, members or characters. With a literal, values compare as its type: "5" equals 5. A missing value equals null and the empty
string, and is neither less nor greater than anything. At most 32 levels, 1,000 operators, fields and literals, 10,000
elements of \`$in\`, and 50 different payload fields.`;

const find = {
  project_id: ProjectId,
  filter: nullable(CallFilter),
  query: nullable(Type.Object({ $expr: Type.Object({}) }, { description: QUERY })),
  limit: nullable(Limit),
};

const expand_columns = nullable(
  Type.Array(Type.String(), { description: 'Places of references whose targets conditions and sort keys look into' }),
);
const include_total_storage_size = nullable(Type.Boolean({ description: 'Bytes of the payloads of whole traces' }));

export const CountCalls = Type.Object({ ...find, expand_columns, include_total_storage_size });
export const CallCount = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  has_more: Type.Boolean({ description: 'Whether as many were found as the limit lets be counted' }),
  total_storage_size_bytes: Type.Union([Type.Number(), Type.Null()]),
});

export const FindCalls = Type.Object({
  ...find,
  offset: nullable(Offset),
  sort_by: nullable(CallSort),
  columns: nullable(
    Type.Array(Type.String(), { description: 'Members to return besides the required ones. Default: all.' }),
  ),
  include_costs: nullable(Type.Boolean()),
  include_feedback: nullable(Type.Boolean()),
  include_storage_size: nullable(Type.Boolean({ description: "Bytes of each call's payloads" })),
  include_total_storage_size,
  expand_columns,
  return_expanded_column_values: nullable(
    Type.Boolean({ description: 'Whether the targets are also in the answer, which is the default' }),
  ),
});

export const FIND_EXAMPLE = {
  project_id: 'acme/support',
  filter: { op_names: ['weave:///acme/support/op/answer:*'], trace_roots_only: true },
  query: { $expr: { $gt: [{ $getField: 'summary.usage.gpt-4o.total_tokens' }, { $literal: 1000 }] } },
  sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }],
  limit: 10,
};
export const COUNT_EXAMPLE = { project_id: FIND_EXAMPLE.project_id, filter: FIND_EXAMPLE.filter };
