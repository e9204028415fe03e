import Type from 'typebox';
import { ProjectId } from '../request/page.schema.js';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const text = Type.Optional(nullable(Type.String()));
const time = Type.Union([Type.String(), Type.Number()], {
  description: 'ISO 8601 (UTC where it names no offset; microseconds are kept) or unix seconds. Unreadable: now',
});
const object = Type.Optional(nullable(Type.Object({})));

const identity = {
  id: Type.Optional(nullable(Type.String({ description: 'Made by the server if missing' }))),
  trace_id: Type.Optional(nullable(Type.String({ description: 'Made by the server if missing' }))),
  parent_id: text,
  op_name: text,
  display_name: text,
  thread_id: text,
  turn_id: text,
  started_at: Type.Optional(nullable(time)),
  attributes: object,
  inputs: object,
  wb_user_id: Type.Optional(nullable(Type.String({ description: "Ignored: always the caller's user name" }))),
  wb_run_id: text,
  wb_run_step: Type.Optional(nullable(Type.Integer())),
  otel_dump: object,
};
const ending = {
  ended_at: Type.Optional(nullable(time)),
  exception: text,
  output: Type.Optional(Type.Unknown()),
  summary: object,
  wb_run_step_end: Type.Optional(nullable(Type.Integer())),
};

export const Start = Type.Object({ project_id: ProjectId, ...identity });
export const End = Type.Object({ project_id: ProjectId, id: Type.String(), ...ending, display_name: text });

const StartItem = Type.Object({
  mode: Type.Optional(Type.Literal('start')),
  req: Type.Object({ start: Start }),
});
const EndItem = Type.Object({ mode: Type.Optional(Type.Literal('end')), req: Type.Object({ end: End }) });

export const UpsertBatch = Type.Object({ batch: Type.Array(Type.Union([StartItem, EndItem])) });
export const StartCall = Type.Object({ start: Start });
export const EndCall = Type.Object({ end: End });

export const MAX_COMPLETE_ITEMS = 1000;
/** The path names the project; a `project_id` in the items is not looked at. */
export const CompleteCalls = Type.Object({
  batch: Type.Array(Type.Object({ ...identity, ...ending }), { maxItems: MAX_COMPLETE_ITEMS }),
});

export const StartedCall = Type.Object({ id: Type.String(), trace_id: Type.String() });
export const Nothing = Type.Object({});
export const UpsertedBatch = Type.Object({
  res: Type.Array(Type.Union([StartedCall, Nothing]), { description: 'As long as `batch`, and in its order' }),
});

/** A payload comes back as it was sent, and nothing keeps a client from sending something else than an object. */
const Payload = Type.Unknown({ description: 'As it was sent; as a rule an object' });

export const CallAnswer = Type.Object({
  id: Type.String(),
  project_id: Type.String(),
  op_name: Type.String(),
  display_name: nullable(Type.String()),
  trace_id: Type.String(),
  parent_id: nullable(Type.String()),
  thread_id: nullable(Type.String()),
  turn_id: nullable(Type.String()),
  started_at: Type.String({ format: 'date-time' }),
  ended_at: nullable(Type.String({ format: 'date-time' })),
  attributes: Payload,
  inputs: Payload,
  output: Type.Unknown(),
  exception: nullable(Type.String()),
  summary: Type.Object({
    weave: Type.Object({
      status: Type.Enum(['running', 'success', 'error', 'descendant_error']),
      trace_name: Type.String(),
      latency_ms: Type.Optional(Type.Integer({ description: 'Absent while the call is running' })),
    }),
  }),
  wb_user_id: nullable(Type.String()),
  wb_run_id: nullable(Type.String()),
  wb_run_step: nullable(Type.Integer()),
  wb_run_step_end: nullable(Type.Integer()),
  otel_dump: Type.Optional(Type.Unknown()),
  deleted_at: Type.Null(),
});

export const ReadCall = Type.Object({
  project_id: ProjectId,
  id: Type.String(),
  include_costs: Type.Optional(Type.Boolean()),
});
export const CallRead = Type.Object({ call: nullable(CallAnswer) });

export const MAX_DELETED_IDS = 1000;
export const DeleteCalls = Type.Object({
  project_id: ProjectId,
  call_ids: Type.Array(Type.String(), { maxItems: MAX_DELETED_IDS }),
});
export const CallsDeleted = Type.Object({
  num_deleted: Type.Integer({ minimum: 0, description: 'Descendants included' }),
});

export const UpdateCall = Type.Object({
  project_id: ProjectId,
  call_id: Type.String(),
  display_name: Type.Optional(Type.String({ description: 'Empty clears it' })),
});
