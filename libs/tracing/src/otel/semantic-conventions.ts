/**
 * Attribute keys of the conventions that instrumentations follow: OpenTelemetry's own for GenAI (old and new),
 * OpenInference, OpenLLMetry (Traceloop), the Vercel AI SDK 4 and 5 (`ai.*`), pydantic-ai and Logfire, MLflow, Langfuse,
 * and those of single products. In each list the first key that a span has is the one that counts; a key stands for
 * everything below it too (`gen_ai.prompt.0.content`). To learn another convention, add its keys here, those
 * of counts in `usage-conventions.ts`.
 */
export const INPUT_KEYS = [
  'ai.prompt',
  'ai.toolCall.args',
  'ai.values',
  'ai.value',
  'gen_ai.prompt',
  'input.value',
  'llm.input_messages',
  'mlflow.spanInputs',
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'langfuse.observation.input',
  'traceloop.entity.input',
  'gen_ai.tool.call.arguments',
  'tool_arguments',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.llm_request',
  'embedding.text',
  'reranker.input_documents',
  'langfuse.trace.input',
  'input',
  'inputs',
] as const;

export const OUTPUT_KEYS = [
  'ai.response',
  'ai.toolCall.result',
  'ai.embeddings',
  'ai.embedding',
  'gen_ai.completion',
  'output.value',
  'llm.output_messages',
  'gen_ai.output.messages',
  'mlflow.spanOutputs',
  'final_result',
  'gen_ai.content.completion',
  'langfuse.observation.output',
  'traceloop.entity.output',
  'gen_ai.tool.call.result',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'gcp.vertex.agent.llm_response',
  'retrieval.documents',
  'embedding.embeddings',
  'reranker.output_documents',
  'langfuse.trace.output',
  'output',
  'outputs',
] as const;

/** One attribute that holds a conversation with its answer: JSON text of the messages that were events of their own. */
export const EVENT_LIST_KEYS = ['events', 'all_messages_events'] as const;

export const MODEL_KEYS = [
  'gen_ai.response.model',
  'ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'ai.model.id',
  'langfuse.observation.model.name',
  'mlflow.llm.model',
  'embedding.model_name',
  'reranker.model_name',
  'llm.response.model',
  'llm.request.model',
  'model_name',
] as const;

/** Names under which readers of calls look for an attribute, whatever the convention. */
export const ATTRIBUTE_KEYS = {
  system: ['gen_ai.system', 'llm.system', 'gen_ai.system_instructions', 'system_prompt'],
  kind: [
    'weave.span.kind',
    'traceloop.span.kind',
    'openinference.span.kind',
    'langfuse.observation.type',
    'mlflow.spanType',
  ],
  model: MODEL_KEYS,
  provider: ['gen_ai.provider.name', 'llm.provider', 'ai.model.provider', 'mlflow.llm.provider'],
  model_parameters: ['gen_ai.request', 'llm.invocation_parameters', 'langfuse.observation.model.parameters'],
  agent: ['gen_ai.agent.name', 'agent_name', 'agent.name'],
  tool: ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'tool_name'],
  tools: ['gen_ai.agent.tools', 'gen_ai.tool.definitions', 'llm.tools'],
  operation: ['gen_ai.operation.name', 'ai.operationId'],
  user: ['user.id', 'enduser.id', 'langfuse.user.id', 'mlflow.trace.user', 'ai.telemetry.metadata.userId'],
  /** What the sender says that it cost. */
  cost: [
    'gen_ai.usage.cost',
    'gen_ai.usage.total_cost',
    'llm.cost.total',
    'operation.cost',
    'mlflow.llm.cost.total_cost',
    'langfuse.observation.cost_details.total',
  ],
} as const;

/** Ids of conversations. A span that has one is a turn, unless a span above it is of the same conversation. */
export const THREAD_KEYS = [
  'wandb.thread_id',
  'gcp.vertex.agent.session_id',
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'mlflow.trace.session',
  'ai.telemetry.metadata.threadId',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.chatId',
  'ai.telemetry.metadata.conversationId',
  'traceloop.association.properties.thread_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.conversation_id',
  'traceloop.association.properties.chat_id',
] as const;
export const TURN_KEY = 'wandb.is_turn';

/** Attributes whose text is JSON as a whole: a caller can ask for a member. Also each item of a list. */
export const JSON_TEXTS: ReadonlySet<string> = new Set([
  'ai.prompt.messages',
  'ai.prompt.tools',
  'ai.prompt.toolChoice',
  'ai.response.toolCalls',
  'ai.response.object',
  'ai.values',
  'ai.embeddings',
]);

/** The same for small objects whose members have keys above. */
export const JSON_MAPS: ReadonlySet<string> = new Set([
  'ai.response.providerMetadata',
  'mlflow.chat.tokenUsage',
  'mlflow.llm.cost',
  'langfuse.observation.usage_details',
  'langfuse.observation.cost_details',
]);

/** Every attribute of theirs is JSON text, that of a word in quotes. */
export const JSON_ENCODED = /^mlflow\./;

/** Events that each hold one message of a conversation: `gen_ai.user.message`. */
export const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
export const CHOICE_EVENT = 'gen_ai.choice';
