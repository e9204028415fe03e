import Type from 'typebox';

/**
 * What bodies with trajectories look like, for the API document: TrajectoryReader checks them, since a compiled schema would
 * need them parsed. Unknown keys are kept, and what is left out has its default.
 */
const nullable = <T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> => Type.Union([schema, Type.Null()]);

const Message = Type.Object(
  { role: Type.String(), content: Type.Optional(Type.Unknown()) },
  { description: 'A chat message: context, which is not trained on' },
);

const Choice = Type.Object(
  {
    index: Type.Integer(),
    message: Type.Object({}),
    finish_reason: Type.Optional(nullable(Type.String())),
    logprobs: Type.Optional(nullable(Type.Object({}))),
    token_ids: Type.Optional(nullable(Type.Array(Type.Integer()))),
    prompt_token_ids: Type.Optional(nullable(Type.Array(Type.Integer()))),
  },
  { description: 'A choice as chat completions answer it; trained on if it has logprobs' },
);

const optional = <T extends Type.TSchema>(schema: T): Type.TOptional<Type.TUnion<[T, Type.TNull]>> =>
  Type.Optional(nullable(schema));

const MessagesAndChoices = optional(Type.Array(Type.Union([Message, Choice])));
const Tools = optional(Type.Array(Type.Unknown()));
const Metrics = optional(Type.Record(Type.String(), nullable(Type.Union([Type.Number(), Type.Boolean()]))));

const exchange = (request: Type.TProperties, choices: Type.TSchema, description: string): Type.TSchema =>
  optional(
    Type.Array(
      Type.Object({
        start_time: Type.Optional(Type.String()),
        end_time: Type.Optional(Type.String()),
        request: Type.Object({ model: Type.Optional(Type.String()), ...request }),
        response: Type.Object({ choices: Type.Optional(choices) }),
      }),
      { description },
    ),
  );

const Exchanges = Type.Object(
  {
    chat_completions: exchange(
      {
        messages: optional(Type.Array(Message)),
        tools: Tools,
        functions: Tools,
        chat_template_kwargs: optional(Type.Object({}, { description: 'Variables for the chat template' })),
      },
      Type.Array(Choice),
      'Trained on as choices in `messages_and_choices` are',
    ),
    completions: exchange(
      {},
      Type.Array(Type.Object({ index: Type.Integer() })),
      'Trained on where they have token ids',
    ),
    responses: exchange(
      {},
      Type.Unknown(),
      'Trained on where `token_generations` has token ids, which `/v1/responses` answers to `return_token_ids`',
    ),
    messages: exchange({}, Type.Unknown(), 'Trained on where they have `prompt_token_ids` and `token_ids`'),
  },
  {
    description:
      'Requests and responses as they went over the wire, in place of histories. A request that continues an earlier conversation continues its history; any other one begins another. Only what the model that is trained said is trained on, each of its tokens once.',
  },
);

const Trajectory = Type.Object({
  messages_and_choices: MessagesAndChoices,
  tools: Tools,
  additional_histories: optional(Type.Array(Type.Object({ messages_and_choices: MessagesAndChoices, tools: Tools }))),
  exchanges: optional(Exchanges),
  reward: optional(Type.Number({ description: 'Finite; default 0' })),
  metrics: Metrics,
  metadata: Type.Optional(Type.Unknown()),
  logs: Type.Optional(Type.Unknown()),
});

export const TrajectoryGroups: Type.TSchema = Type.Array(
  Type.Object({
    trajectories: optional(Type.Array(Trajectory)),
    exceptions: optional(
      Type.Array(Type.Unknown(), { description: 'One for each rollout that ended in an exception' }),
    ),
    metadata: Type.Optional(Type.Unknown()),
  }),
);

export const TRAJECTORY_GROUPS_EXAMPLE = [
  {
    trajectories: [
      {
        messages_and_choices: [
          { role: 'user', content: 'yes, no or maybe?' },
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: 'maybe' },
            logprobs: { content: [{ token: 'token_id:417', logprob: -1.1, bytes: null, top_logprobs: [] }] },
            token_ids: [417],
            prompt_token_ids: [1, 87, 301],
          },
        ],
        reward: 1,
        metrics: { is_maybe: true },
      },
    ],
    exceptions: [],
  },
];
