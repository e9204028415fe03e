/**
 * Attribute keys of the conventions that instrumentations follow: OpenTelemetry's own for GenAI, OpenInference, OpenLLMetry
 * (Traceloop), and those of single products. In each list the first key that a span has is the one that counts; a key
 * stands for everything below it too (`gen_ai.prompt.0.content`).
 */
export const INPUT_KEYS = [
  'ai.prompt',
  'gen_ai.prompt',
  'input.value',
  'llm.input_messages',
  'mlflow.spanInputs',
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'traceloop.entity.input',
  'gen_ai.tool.call.arguments',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.llm_request',
  'input',
  'inputs',
] as const;

export const OUTPUT_KEYS = [
  'ai.response',
  'gen_ai.completion',
  'output.value',
  'llm.output_messages',
  'gen_ai.output.messages',
  'mlflow.spanOutputs',
  'final_result',
  'gen_ai.content.completion',
  'traceloop.entity.output',
  'gen_ai.tool.call.result',
  'gcp.vertex.agent.tool_response',
  'gcp.vertex.agent.llm_response',
  'output',
  'outputs',
] as const;

export const USAGE_KEYS = {
  input_tokens: ['gen_ai.usage.input_tokens'],
  output_tokens: ['gen_ai.usage.output_tokens'],
  prompt_tokens: ['gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.promptTokens'],
  completion_tokens: ['gen_ai.usage.completion_tokens', 'llm.token_count.completion', 'ai.usage.completionTokens'],
  total_tokens: ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total'],
} as const;

export const MODEL_KEYS = ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'] as const;

/** Names under which readers of calls look for an attribute, whatever the convention. */
export const ATTRIBUTE_KEYS = {
  system: ['gen_ai.system', 'llm.system', 'gen_ai.system_instructions', 'system_prompt'],
  kind: ['weave.span.kind', 'traceloop.span.kind', 'openinference.span.kind'],
  model: MODEL_KEYS,
  provider: ['gen_ai.provider.name', 'llm.provider', 'ai.model.provider'],
  model_parameters: ['gen_ai.request', 'llm.invocation_parameters'],
  agent: ['gen_ai.agent.name'],
  tools: ['gen_ai.agent.tools'],
  operation: ['gen_ai.operation.name'],
} as const;

export const THREAD_KEYS = ['wandb.thread_id', 'gcp.vertex.agent.session_id', 'gen_ai.conversation.id'] as const;
export const TURN_KEYS = ['wandb.is_turn', 'gcp.vertex.agent.session_id'] as const;

/** Events that each hold one message of a conversation: `gen_ai.user.message`. */
export const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
export const CHOICE_EVENT = 'gen_ai.choice';
