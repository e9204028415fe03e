import Type, { type Static, type TSchema } from 'typebox';
import { Limit, Offset, ProjectId } from '../request/page.schema.js';

const MAX_THREAD_IDS = 10_000;

/** The SDKs write what is unset as null. */
const nullable = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const ThreadFilter = Type.Object({
  after_datetime: nullable(Type.String({ description: 'Only threads that started after this time' })),
  before_datetime: nullable(Type.String({ description: 'Only threads last updated before this time' })),
  thread_ids: nullable(Type.Array(Type.String(), { maxItems: MAX_THREAD_IDS })),
});
export type ThreadFilter = Static<typeof ThreadFilter>;

export const THREAD_SORTS = [
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
] as const;

export const QueryThreads = Type.Object({
  project_id: ProjectId,
  filter: Type.Optional(ThreadFilter),
  sort_by: Type.Optional(
    Type.Array(Type.Object({ field: Type.Enum([...THREAD_SORTS]), direction: Type.Enum(['asc', 'desc']) }), {
      maxItems: THREAD_SORTS.length,
      description: 'Default: those last updated first',
    }),
  ),
  limit: Type.Optional(Limit),
  offset: Type.Optional(Offset),
});
export type QueryThreads = Static<typeof QueryThreads>;

export const THREADS_EXAMPLE = {
  project_id: 'acme/support',
  filter: { after_datetime: '2026-01-31T00:00:00Z' },
  sort_by: [{ field: 'last_updated', direction: 'desc' }],
  limit: 20,
};
