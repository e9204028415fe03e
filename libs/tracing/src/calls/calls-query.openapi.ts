import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiUnprocessableEntityResponse } from '@nestjs/swagger';

type Schema = NonNullable<Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema']>;

const strings: Schema = { type: 'array', items: { type: 'string' } };

const filter: Schema = {
  type: 'object',
  description: 'All fields must match; within a list, one value must. `op_names` may end in `:*` for any version.',
  additionalProperties: false,
  properties: {
    op_names: strings,
    input_refs: strings,
    output_refs: strings,
    parent_ids: strings,
    trace_ids: strings,
    call_ids: strings,
    thread_ids: strings,
    turn_ids: strings,
    wb_user_ids: strings,
    wb_run_ids: strings,
    trace_roots_only: { type: 'boolean' },
  },
};

const query: Schema = {
  type: 'object',
  description:
    '`{"$expr": C}`. Conditions: `$and`, `$or`, `$not` over lists of conditions; `$eq`, `$gt`, `$gte`, `$lt`, `$lte` over ' +
    'two operands; `$in` over an operand and a list; `$contains` `{input, substr, case_insensitive}`. Operands: ' +
    '`{"$literal": value}`, `{"$getField": "inputs.messages.0.role"}` (a dot in a key is `\\.`), ' +
    '`{"$convert": {"input": operand, "to": "double" | "int" | "string" | "bool" | "exists"}}`. ' +
    'Values compare within their type; a missing value equals null and the empty string, and nothing else. ' +
    'At most 32 levels, 1,000 operators, fields and literals, and 50 different payload fields.',
  required: ['$expr'],
  properties: { $expr: { type: 'object' } },
};

const find: Record<string, Schema> = {
  project_id: { type: 'string', description: '`entity/project`' },
  filter,
  query,
  limit: { type: 'integer', minimum: 0 },
};

const page: Record<string, Schema> = {
  offset: { type: 'integer', minimum: 0 },
  sort_by: {
    type: 'array',
    description: 'Default: by `started_at`, then by `id`, which also decide between equals.',
    maxItems: 10,
    items: {
      type: 'object',
      required: ['field', 'direction'],
      properties: { field: { type: 'string' }, direction: { type: 'string', enum: ['asc', 'desc'] } },
    },
  },
  columns: { ...strings, description: 'Members to return besides the required ones. Default: all.' },
  include_costs: { type: 'boolean' },
  include_feedback: { type: 'boolean' },
};

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: ['project_id'],
  properties,
});

const examples = {
  slowest: {
    summary: 'The ten slowest traces of an op that cost more than 1,000 tokens',
    value: {
      project_id: 'my-team/my-project',
      filter: { op_names: ['weave:///my-team/my-project/op/predict:*'], trace_roots_only: true },
      query: { $expr: { $gt: [{ $getField: 'summary.usage.gpt-4o.total_tokens' }, { $literal: 1000 }] } },
      sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }],
      limit: 10,
    },
  },
};

const ApiMalformed = (): ReturnType<typeof ApiUnprocessableEntityResponse> =>
  ApiUnprocessableEntityResponse({ description: 'Malformed or beyond the limits; `detail[].loc` says where.' });

export const ApiCallQuery = (): MethodDecorator =>
  applyDecorators(
    ApiBody({ schema: object({ ...find, ...page }), examples }),
    ApiOkResponse({
      description: 'One call a line; nothing at all where nothing is found.',
      content: { 'application/jsonl': { schema: { type: 'string' } } },
    }),
    ApiMalformed(),
  );

export const ApiCallCount = (): MethodDecorator =>
  applyDecorators(
    ApiBody({ schema: object(find), examples }),
    ApiOkResponse({
      schema: { type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0 } } },
    }),
    ApiMalformed(),
  );
