import Type, { type TSchema } from 'typebox';
import { ProjectId } from '../request/page.schema.js';

const Optional = Type.Optional;
const Text = Type.String();
const MaybeText = Optional(Type.Union([Type.String(), Type.Null()]));
const Members = Type.Record(Type.String(), Type.Unknown());

export const NewRun = Type.Object({ evaluation: Text, model: Text, source_evaluation_run_id: MaybeText });
export const RunCreated = Type.Object({ evaluation_run_id: Text });
export const FinishRun = Type.Object({ summary: Optional(Type.Union([Members, Type.Null()])) });
export const Finished = Type.Object({ success: Type.Boolean() });
export const Deleted = Type.Object({ num_deleted: Type.Integer() });
export const Run: TSchema = Type.Object({
  evaluation_run_id: Text,
  evaluation: Text,
  model: Text,
  status: MaybeText,
  started_at: MaybeText,
  finished_at: MaybeText,
  summary: Optional(Type.Unknown()),
  source_evaluation_run_id: MaybeText,
});

const SpanRefs = Optional(Type.Union([Type.Array(Type.Object({ trace_id: Text, span_id: Text })), Type.Null()]));
export const NewPrediction = Type.Object({ model: Text, evaluation_run_id: MaybeText, genai_span_ref: SpanRefs });
export const CreatePrediction = Type.Intersect([
  NewPrediction,
  Type.Object({ inputs: Members, output: Type.Unknown() }),
]);
export const PredictionCreated = Type.Object({ prediction_id: Text });
export const Prediction: TSchema = Type.Object({
  prediction_id: Text,
  model: Text,
  inputs: Members,
  output: Type.Unknown(),
  evaluation_run_id: MaybeText,
  wb_user_id: MaybeText,
});

export const NewScore = Type.Object({ prediction_id: Text, scorer: Text, evaluation_run_id: MaybeText });
export const CreateScore = Type.Intersect([NewScore, Type.Object({ value: Type.Unknown() })]);
export const ScoreCreated = Type.Object({ score_id: Text });
export const Score: TSchema = Type.Object({
  score_id: Text,
  scorer: Text,
  value: Type.Unknown(),
  evaluation_run_id: MaybeText,
  wb_user_id: MaybeText,
});
export const Nothing = Type.Object({});

export const AskStatus = Type.Object({ project_id: ProjectId, call_id: Text });
export const Status: TSchema = Type.Object({
  status: Type.Union([
    Type.Object({ code: Type.Enum(['not_found']) }),
    Type.Object({ code: Type.Enum(['running']), completed_rows: Type.Integer(), total_rows: Type.Integer() }),
    Type.Object({ code: Type.Enum(['failed']), error: Text }),
    Type.Object({ code: Type.Enum(['complete']), output: Members }),
  ]),
});
