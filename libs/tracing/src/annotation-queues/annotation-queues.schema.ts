import Type, { type Static, type TSchema } from 'typebox';
import { Limit, Offset, ProjectId } from '../request/page.schema.js';

const Optional = Type.Optional;
const Time = Type.String({ format: 'date-time' });
const MaybeTime = Type.Union([Time, Type.Null()]);
const Ref = Type.String({ maxLength: 2000, description: '`weave:///entity/project/...`' });

const Name = Type.String({ minLength: 1, maxLength: 1000 });
const Description = Type.String({ maxLength: 100_000 });
const ScorerRefs = Type.Array(Ref, { maxItems: 1000, description: 'What is asked about each call' });
const Direction = Type.Union([Type.Literal('asc'), Type.Literal('desc')]);

/** A sort by one of these fields. */
const sortBy = <T extends string>(fields: readonly [T, ...T[]]) =>
  Type.Array(Type.Object({ field: Type.Enum([...fields]), direction: Direction }), { maxItems: 20 });

export const MAX_QUEUES = 1000;
export const CreateQueue = Type.Object({
  project_id: ProjectId,
  name: Name,
  description: Optional(Description),
  scorer_refs: ScorerRefs,
});
export type CreateQueue = Static<typeof CreateQueue>;
export const QueueCreated = Type.Object({ id: Type.String() });

export const UpdateQueue = Type.Object({
  project_id: ProjectId,
  name: Optional(Name),
  description: Optional(Description),
  scorer_refs: Optional(ScorerRefs),
});
export type UpdateQueue = Static<typeof UpdateQueue>;

export const Queue = Type.Object({
  id: Type.String(),
  project_id: ProjectId,
  name: Type.String(),
  description: Type.String(),
  scorer_refs: Type.Array(Type.String()),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  deleted_at: MaybeTime,
});
export const QueueFound = Type.Object({ queue: Queue });

export const QueryQueues = Type.Object({
  project_id: ProjectId,
  name: Optional(Type.String({ maxLength: 1000, description: 'Part of the name, in whichever case' })),
  sort_by: Optional(sortBy(['id', 'name', 'created_at', 'updated_at'])),
  limit: Optional(Limit),
  offset: Optional(Offset),
});
export type QueryQueues = Static<typeof QueryQueues>;

const QueueIds = Type.Array(Type.String(), { maxItems: MAX_QUEUES });
export const QueueStats = Type.Object({ project_id: ProjectId, queue_ids: QueueIds });
export const QueueStatsFound = Type.Object({
  stats: Type.Array(
    Type.Object({ queue_id: Type.String(), total_items: Type.Integer(), completed_items: Type.Integer() }),
  ),
});

export const MAX_QUEUE_ITEMS = 100_000;
export const AddCalls = Type.Object({
  project_id: ProjectId,
  call_ids: Type.Array(Type.String(), { maxItems: 10_000 }),
  display_fields: Type.Array(Type.String({ maxLength: 2000 }), {
    maxItems: 1000,
    description: 'Paths such as `inputs.prompt`: what is shown of a call',
  }),
});
export type AddCalls = Static<typeof AddCalls>;
export const CallsAdded = Type.Object({
  added_count: Type.Integer(),
  duplicates: Type.Integer({ description: 'How many were in the queue before' }),
});

const STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const;
const State = Type.Enum([...STATES]);

/** The SDKs write what is unset as null. */
const maybe = <T extends TSchema>(schema: T) => Optional(Type.Union([schema, Type.Null()]));

const ItemFilter = Type.Object({
  id: maybe(Type.String()),
  call_id: maybe(Type.String()),
  call_op_name: maybe(Type.String()),
  call_trace_id: maybe(Type.String()),
  added_by: maybe(Type.String()),
  annotation_states: maybe(Type.Array(State, { maxItems: 100, description: 'None: in any state' })),
});

export const MAX_ITEMS_OF_ANSWER = 10_000;
export const QueryItems = Type.Object({
  project_id: ProjectId,
  filter: Optional(ItemFilter),
  sort_by: Optional(sortBy(['call_started_at', 'call_op_name', 'created_at', 'updated_at'])),
  limit: Optional(
    Type.Integer({ minimum: 0, maximum: MAX_ITEMS_OF_ANSWER, description: `Default: ${MAX_ITEMS_OF_ANSWER}` }),
  ),
  offset: Optional(Offset),
  include_position: Optional(
    Type.Boolean({ description: "Each item's place, from 1 on, among all that were asked for" }),
  ),
});
export type QueryItems = Static<typeof QueryItems>;

export const Item = Type.Object({
  id: Type.String(),
  project_id: ProjectId,
  queue_id: Type.String(),
  call_id: Type.String(),
  call_started_at: Time,
  call_ended_at: MaybeTime,
  call_op_name: Type.String(),
  call_trace_id: Type.String(),
  display_fields: Type.Array(Type.String()),
  added_by: Type.String(),
  annotation_state: State,
  annotator_user_id: Type.String({ description: 'Whose state it is, the newest of all; empty: nobody began' }),
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
  deleted_at: Type.Null(),
  position_in_queue: Type.Union([Type.Integer(), Type.Null()]),
});
export const ItemsFound = Type.Object({ items: Type.Array(Item) });

const NewState = Type.Enum(['in_progress', 'completed', 'skipped']);
export const UpdateProgress = Type.Object({ project_id: ProjectId, annotation_state: NewState });
export const ProgressUpdated = Type.Object({ item: Item });
