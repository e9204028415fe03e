import Type from 'typebox';

/**
 * What bodies with trajectories look like, for the API document: TrajectoryReader checks them, since a compiled schema would
 * need them parsed. Unknown keys are kept.
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

const MessagesAndChoices = Type.Array(Type.Union([Message, Choice]));
const Tools = Type.Optional(nullable(Type.Array(Type.Unknown())));
const Metrics = Type.Optional(
  nullable(Type.Record(Type.String(), nullable(Type.Union([Type.Number(), Type.Boolean()])))),
);

const Trajectory = Type.Object({
  messages_and_choices: MessagesAndChoices,
  tools: Tools,
  additional_histories: Type.Optional(
    nullable(Type.Array(Type.Object({ messages_and_choices: MessagesAndChoices, tools: Tools }))),
  ),
  reward: Type.Optional(nullable(Type.Number({ description: 'Finite; default 0' }))),
  metrics: Metrics,
  metadata: Type.Optional(Type.Unknown()),
  logs: Type.Optional(Type.Unknown()),
});

export const TrajectoryGroups: Type.TSchema = Type.Array(
  Type.Object({
    trajectories: Type.Array(Trajectory),
    exceptions: Type.Optional(
      nullable(Type.Array(Type.Unknown(), { description: 'One for each rollout that ended in an exception' })),
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
