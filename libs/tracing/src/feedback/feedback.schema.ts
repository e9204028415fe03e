import Type, { type Static } from 'typebox';
import { Limit, Offset, ProjectId, PurgeQuery, SortBy } from '../request/page.schema.js';

const Optional = Type.Optional;
const Ref = Type.String({ description: '`weave:///entity/project/...`' });

/** The typed fields of one piece of feedback; payload and scorer details stay text. */
export const NewFeedback = Type.Object({
  project_id: ProjectId,
  weave_ref: Ref,
  feedback_type: Type.String({ minLength: 1, description: '`wandb.` is reserved for the types that the SDKs define' }),
  id: Optional(Type.String({ minLength: 1, description: 'The same id again changes nothing' })),
  creator: Optional(Type.String()),
  annotation_ref: Optional(Ref),
  runnable_ref: Optional(Ref),
  call_ref: Optional(Ref),
  trigger_ref: Optional(Type.String()),
  queue_id: Optional(Type.String()),
});
export type NewFeedback = Static<typeof NewFeedback>;

const Payload = Type.Object({ payload: Type.Record(Type.String(), Type.Unknown()) });
export const CreateFeedback = Type.Intersect([NewFeedback, Payload]);
export const CreateFeedbackBatch = Type.Object({ batch: Type.Array(CreateFeedback) });
export const Replaced = Type.Object({ feedback_id: Type.String({ minLength: 1 }) });
export const ReplaceFeedback = Type.Intersect([Replaced, CreateFeedback]);

export const FeedbackCreated = Type.Object({
  id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  wb_user_id: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
});
export const FeedbackBatchCreated = Type.Object({ res: Type.Array(FeedbackCreated) });

const Query = Type.Object({ $expr: Type.Unknown() }, { description: 'The same language as for calls' });
export const QueryFeedback = Type.Object({
  project_id: ProjectId,
  fields: Optional(Type.Array(Type.String(), { description: 'Default: all' })),
  limit: Optional(Limit),
  offset: Optional(Offset),
  sort_by: Optional(SortBy),
});
export type QueryFeedback = Static<typeof QueryFeedback>;
export const QueryFeedbackBody = Type.Intersect([QueryFeedback, Type.Object({ query: Optional(Query) })]);
export const FeedbackFound = Type.Object({
  result: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  total_count: Type.Integer(),
});

export const FeedbackProject = Type.Object({ project_id: ProjectId });
export const PurgeFeedbackBody = Type.Intersect([FeedbackProject, Type.Object({ query: PurgeQuery })]);
export const Nothing = Type.Object({});
