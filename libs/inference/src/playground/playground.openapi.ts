import Type from 'typebox';
import { optional } from '../dto/openai-fields.openapi.js';

const MaybeText = optional(Type.String());

export const PlaygroundBody = Type.Object({
  project_id: Type.String({ description: '`entity/project`' }),
  inputs: Type.Object(
    {
      model: Type.String({ description: 'As `/v1/chat/completions` has it' }),
      messages: Type.Array(Type.Object({})),
      template_vars: optional(Type.Object({}, { description: 'What stands for `{name}` in the messages' })),
    },
    { description: 'All else is as in a chat completion' },
  ),
  track_llm_call: optional(Type.Boolean({ description: 'Whether it is kept as a call. Default: true' })),
  trace_id: MaybeText,
  parent_id: MaybeText,
  conversation_id: MaybeText,
  conversation_name: MaybeText,
  source: MaybeText,
});

export const PLAYGROUND_EXAMPLE = {
  project_id: 'acme/support',
  inputs: { model: 'heddle/shuttle-1m', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 8 },
};

export const PlaygroundAnswer = Type.Object({
  response: Type.Object({}, { description: 'A chat completion' }),
  weave_call_id: Type.Optional(Type.String()),
  span_id: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
  conversation_id: Type.Optional(Type.String()),
});
