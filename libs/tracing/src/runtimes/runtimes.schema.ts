import Type, { type Static } from 'typebox';

const Optional = Type.Optional;
const Text = Type.String();
const Headers = Type.Record(Text, Type.String({ maxLength: 10_000 }), { description: 'Sent along; nothing secret' });
const Secret = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Name of the team secret that is its API key',
});

const MAX_TOKENS = 4096;
const Model = {
  id: Type.String({ pattern: '^\\S+$', maxLength: 256, description: 'What the endpoint calls it' }),
  max_tokens: Type.Integer({ minimum: 1, default: MAX_TOKENS }),
};

export const ApplyRuntime = Type.Object({
  base_url: Type.String({ pattern: '^https?://[^?#]+$', maxLength: 2000 }),
  api_key_secret: Optional(Secret),
  headers: Optional(Headers),
  runtime_ids: Type.Array(Type.Object({ id: Model.id, max_tokens: Optional(Model.max_tokens) }), {
    maxItems: 1000,
    description: 'All its models: those that are left out are deleted',
  }),
});
export type ApplyRuntime = Static<typeof ApplyRuntime>;
export const DEFAULT_MAX_TOKENS = MAX_TOKENS;

export const RuntimeApplied = Type.Object({
  name: Text,
  base_url: Text,
  api_key_secret: Type.Union([Text, Type.Null()]),
  headers: Headers,
  runtime_ids: Type.Array(Type.Object({ ...Model, playground_id: Text })),
});
