import Type, { type Static, type TSchema } from 'typebox';
import { Offset, ProjectId } from '../request/page.schema.js';

const Optional = Type.Optional;
const Text = Type.String();
const Time = Type.String({ format: 'date-time' });
const Count = Type.Number();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Flag = Optional(Type.Boolean());
const When = Optional(Type.String({ description: 'ISO 8601, UTC where no offset is given' }));

export const MAX_SPANS = 10_000;
const limit = (most: number, usual: number) =>
  Optional(Type.Integer({ minimum: 0, maximum: most, description: `Default: ${usual}` }));
const Direction = Type.Enum(['asc', 'desc']);
const Sort = Optional(Type.Array(Type.Object({ field: Text, direction: Optional(Direction) }), { maxItems: 20 }));
const Query = Type.Object({ $expr: Type.Unknown() }, { description: 'The same language as for calls' });

export const DEFAULT_LIMIT = 100;
const page = { sort_by: Sort, limit: limit(MAX_SPANS, DEFAULT_LIMIT), offset: Optional(Offset) };

export const AGENT_SORTS = [
  ...['agent_name', 'agent_version', 'invocation_count', 'span_count', 'total_input_tokens', 'total_output_tokens'],
  ...['total_duration_ms', 'error_count', 'first_seen', 'last_seen'],
] as const;
export const QueryAgents = Type.Object({
  project_id: ProjectId,
  filters: Optional(Type.Object({ agent_name: Optional(orNull(Text)) })),
  ...page,
});
export type QueryAgents = Static<typeof QueryAgents>;
export const QueryVersions = Type.Object({ project_id: ProjectId, agent_name: Text, ...page });
export type QueryVersions = Static<typeof QueryVersions>;

const agent = {
  project_id: ProjectId,
  agent_name: Text,
  invocation_count: Type.Integer({ description: 'Spans of the operation `invoke_agent`' }),
  span_count: Type.Integer({ description: 'Spans that name the agent, and those below it that name none' }),
  total_input_tokens: Type.Number({
    description: 'Every token once: what sums up spans below it is not added to them',
  }),
  total_output_tokens: Count,
  total_duration_ms: Type.Number({ description: "Of the agent's invocations" }),
  error_count: Type.Integer(),
  first_seen: Time,
  last_seen: Time,
  total_cost_usd: Type.Null(),
};
export const AgentsFound = Type.Object({ agents: Type.Array(Type.Object(agent)), total_count: Type.Integer() });
export const VersionsFound = Type.Object({
  versions: Type.Array(Type.Object({ ...agent, agent_version: Text })),
  total_count: Type.Integer(),
});

export const QuerySpans = Type.Object({
  project_id: ProjectId,
  group_by: Optional(
    Type.Array(
      Type.Object({ source: Optional(Type.Enum(['field', 'column'])), key: Text, alias: Optional(orNull(Text)) }),
      {
        maxItems: 5,
      },
    ),
  ),
  include_details: Flag,
  include_costs: Flag,
  started_after: When,
  started_before: When,
  ...page,
});
export type QuerySpans = Static<typeof QuerySpans>;
export const QuerySpansBody = Type.Intersect([QuerySpans, Type.Object({ query: Optional(Query) })]);

const Message = Type.Object({ role: Text, content: Text, finish_reason: Text });
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, orNull(Text)]));
const counts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, orNull(Count)]));
export const Span = Type.Object({
  project_id: ProjectId,
  trace_id: Text,
  span_id: Text,
  started_at: Time,
  ended_at: orNull(Time),
  status_code: Type.Enum(['UNSET', 'OK', 'ERROR']),
  ...texts(
    'parent_span_id',
    'span_name',
    'status_message',
    'operation_name',
    'provider_name',
    'agent_name',
    'agent_id',
  ),
  ...texts('agent_version', 'agent_description', 'request_model', 'response_model', 'response_id', 'conversation_id'),
  ...texts('conversation_name', 'tool_name', 'tool_type', 'tool_call_id', 'error_type', 'wb_user_id', 'wb_run_id'),
  ...texts('tool_call_arguments', 'tool_call_result', 'raw_span_dump'),
  ...counts('input_tokens', 'output_tokens', 'reasoning_tokens', 'cache_read_input_tokens'),
  ...counts('cache_creation_input_tokens', 'input_cost_usd', 'output_cost_usd', 'total_cost_usd'),
  input_messages: Type.Array(Message),
  output_messages: Type.Array(Message),
  system_instructions: Type.Array(Text),
});
const Group = Type.Object({
  group_keys: Type.Record(Text, Type.Unknown()),
  span_count: Type.Integer(),
  invocation_count: Type.Integer(),
  conversation_count: Type.Integer(),
  error_count: Type.Integer(),
  total_duration_ms: Count,
  first_seen: Time,
  last_seen: Time,
});
export const SpansFound = Type.Object({
  spans: Type.Array(Span, { description: 'Without `group_by`' }),
  groups: Type.Array(Group, { description: 'With it' }),
  total_count: Type.Integer(),
});

export const MAX_CONVERSATIONS = 1000;
export const QueryConversationSpans = Type.Object({
  project_id: ProjectId,
  conversation_ids: Type.Array(Text, { maxItems: MAX_CONVERSATIONS }),
  started_after: When,
  started_before: When,
});
export type QueryConversationSpans = Static<typeof QueryConversationSpans>;
export const ConversationSpansFound = Type.Object({
  conversations: Type.Array(
    Type.Object({
      conversation_id: Text,
      spans: Type.Array(
        Type.Object({ operation_name: Text, trace_id: Text, span_id: Text, status: Text, duration_ms: Count }),
        { description: 'The first 200' },
      ),
      spans_feedback: Type.Array(Type.Unknown()),
    }),
  ),
});

export const ReadTraceChat = Type.Object({ project_id: ProjectId, trace_id: Text });
export const MAX_TURNS = 50;
export const ReadConversationChat = Type.Object({
  project_id: ProjectId,
  conversation_id: Text,
  limit: limit(MAX_TURNS, MAX_TURNS),
  offset: Optional({ ...Offset, description: 'So many of the newest turns are left out' }),
});
export type ReadConversationChat = Static<typeof ReadConversationChat>;
export const TraceChat = Type.Object({
  trace_id: Text,
  ...texts('root_span_name', 'agent_name', 'agent_version', 'status_code', 'provider', 'started_at', 'ended_at'),
  ...counts('total_duration_ms', 'total_cost_usd'),
  total_input_tokens: Count,
  total_output_tokens: Count,
  messages: Type.Array(Type.Object({ type: Text })),
});
export const ConversationChat = Type.Object({
  conversation_id: Text,
  turns: Type.Array(TraceChat),
  total_turns: Type.Integer(),
  has_more: Type.Boolean(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  total_cost_usd: orNull(Count),
});

export const MAX_ATTRIBUTES = 2000;
export const DEFAULT_ATTRIBUTES = 200;
export const QueryAttributes = Type.Object({
  project_id: ProjectId,
  started_after: When,
  started_before: When,
  limit: limit(MAX_ATTRIBUTES, DEFAULT_ATTRIBUTES),
  offset: Optional(Offset),
});
export type QueryAttributes = Static<typeof QueryAttributes>;
export const AttributesFound = Type.Object({
  attributes: Type.Array(Type.Object({ source: Text, key: Text, value_type: Text, span_count: Type.Integer() })),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
});

export const DEFAULT_MATCHES = 20;
const MAX_MATCHES = 1000;
export const SearchMessages = Type.Object({
  project_id: ProjectId,
  query: Optional(Type.String({ maxLength: 1000, description: 'Part of a message, in whichever case' })),
  trace_id: Optional(Text),
  roles: Optional(Type.Array(Text, { maxItems: 100 })),
  conversation_id: Optional(Text),
  agent_name: Optional(Text),
  provider_name: Optional(Text),
  request_model: Optional(Text),
  truncate_content: Flag,
  started_after: When,
  started_before: When,
  limit: limit(MAX_MATCHES, DEFAULT_MATCHES),
  offset: Optional(Offset),
});
export type SearchMessages = Static<typeof SearchMessages>;
const Match = Type.Object({
  span_id: Text,
  trace_id: Text,
  role: Text,
  content_preview: Text,
  content_digest: Text,
  started_at: Time,
});
export const MessagesFound = Type.Object({
  results: Type.Array(
    Type.Object({
      conversation_id: Text,
      conversation_name: Text,
      agent_name: Text,
      matched_messages: Type.Array(Match),
      last_activity: Time,
    }),
  ),
  total_conversations: Type.Integer(),
});
