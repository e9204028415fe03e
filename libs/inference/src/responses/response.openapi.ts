import Type, { type TSchema } from 'typebox';
import { nullable, optional, SamplingFields } from '../dto/openai-fields.openapi.js';

const { temperature, top_p, top_logprobs } = SamplingFields as Record<string, TSchema>;

const Item = Type.Object(
  { type: optional(Type.String({ default: 'message' })), id: optional(Type.String()) },
  { description: '`message`, `function_call`, `function_call_output`, `item_reference`; `reasoning` is passed over' },
);

const Tool = Type.Object({
  type: Type.Literal('function'),
  name: Type.String(),
  description: optional(Type.String()),
  parameters: optional(Type.Object({})),
  strict: optional(Type.Boolean()),
});

const Format = Type.Object({
  type: Type.Enum(['text', 'json_object', 'json_schema']),
  name: optional(Type.String()),
  schema: optional(Type.Object({})),
});

export const ResponseBody: TSchema = Type.Object({
  model: Type.String({ description: "As a chat's" }),
  input: Type.Union([Type.String(), Type.Array(Item)]),
  instructions: optional(Type.String({ description: 'The system message, of this response only' })),
  previous_response_id: optional(Type.String({ description: 'Of a stored response, to go on from it' })),
  store: optional(Type.Boolean({ default: true })),
  background: optional(
    Type.Boolean({
      default: false,
      description: 'Answers at once, and makes the response afterwards: it is retrieved by its id. Needs `store`',
    }),
  ),
  stream: optional(Type.Boolean({ default: false })),
  tools: optional(Type.Array(Tool)),
  tool_choice: optional(
    Type.Union([
      Type.Enum(['none', 'auto', 'required']),
      Type.Object({ type: Type.Enum(['function', 'allowed_tools']) }),
    ]),
  ),
  parallel_tool_calls: optional(Type.Boolean({ default: true })),
  text: optional(Type.Object({ format: optional(Format) })),
  max_output_tokens: optional(Type.Integer({ minimum: 1 })),
  temperature: temperature!,
  top_p: top_p!,
  top_logprobs: top_logprobs!,
  include: optional(Type.Array(Type.String({ description: '`message.output_text.logprobs` adds log probabilities' }))),
  metadata: optional(Type.Object({}, { description: 'At most 16 texts' })),
  truncation: optional(
    Type.Enum(['auto', 'disabled'], {
      default: 'disabled',
      description: 'Whether what does not fit into the context is refused, or the oldest items are left out',
    }),
  ),
  return_token_ids: optional(
    Type.Boolean({
      default: false,
      description:
        'Adds `token_generations`. Whoever asks for them trains on them: the defaults of the base model do not apply then, so that the tokens are samples of its own distribution',
    }),
  ),
});

export const RESPONSE_EXAMPLE = { model: 'heddle/shuttle-1m', input: 'Say yes, no or maybe.', max_output_tokens: 16 };

export const ResponseAnswer: TSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('response'),
  created_at: Type.Integer({ description: 'Seconds since 1970' }),
  completed_at: nullable(Type.Integer()),
  status: Type.Enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  background: Type.Boolean(),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  incomplete_details: nullable(Type.Object({ reason: Type.Literal('max_output_tokens') })),
  model: Type.String({ description: 'As it was asked for' }),
  output: Type.Array(Type.Object({ id: Type.String(), type: Type.Enum(['message', 'function_call']) })),
  previous_response_id: nullable(Type.String()),
  usage: nullable(
    Type.Object({ input_tokens: Type.Integer(), output_tokens: Type.Integer(), total_tokens: Type.Integer() }),
  ),
  token_generations: Type.Optional(
    Type.Array(
      Type.Object({
        prompt_token_ids: Type.Array(Type.Integer()),
        output_tokens: Type.Array(Type.Object({ token_id: Type.Integer(), logprob: Type.Number() })),
        output_indices: Type.Array(Type.Integer()),
      }),
      { description: 'With `return_token_ids`: what the model was given and sampled, as training reads it' },
    ),
  ),
});

/** An event of the stream. */
export const ResponseStreamEvent = Type.Object(
  { event: Type.String(), data: Type.String() },
  {
    description:
      'With `stream`: `response.created`, ..., and at last `response.completed`, `response.incomplete`, `response.failed` or `response.cancelled`.',
  },
);

export const InputTokensAnswer: TSchema = Type.Object({
  object: Type.Literal('response.input_tokens'),
  input_tokens: Type.Integer(),
});

export const DeletedAnswer: TSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('response'),
  deleted: Type.Literal(true),
});

export const ItemPageAnswer: TSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Object({ id: Type.String(), type: Type.String() })),
  first_id: nullable(Type.String()),
  last_id: nullable(Type.String()),
  has_more: Type.Boolean(),
});
