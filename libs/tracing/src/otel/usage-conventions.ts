/** Counts of `summary.usage`. Input and output have two names each, of which a call has one. */
export const USAGE_KEYS = {
  input_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.aggregated_usage.input_tokens',
    'ai.usage.inputTokens',
    'ai.usage.tokens',
    'mlflow.chat.tokenUsage.input_tokens',
    'langfuse.observation.usage_details.input',
  ],
  prompt_tokens: [
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.promptTokens',
    'llm.usage.prompt_tokens',
    'langfuse.observation.usage_details.prompt_tokens',
  ],
  output_tokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.aggregated_usage.output_tokens',
    'ai.usage.outputTokens',
    'mlflow.chat.tokenUsage.output_tokens',
    'langfuse.observation.usage_details.output',
  ],
  completion_tokens: [
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.completionTokens',
    'llm.usage.completion_tokens',
    'langfuse.observation.usage_details.completion_tokens',
  ],
  total_tokens: [
    'gen_ai.usage.total_tokens',
    'llm.usage.total_tokens',
    'llm.token_count.total',
    'ai.usage.totalTokens',
    'mlflow.chat.tokenUsage.total_tokens',
    'langfuse.observation.usage_details.total',
    'langfuse.observation.usage_details.total_tokens',
  ],
  cache_read_input_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.aggregated_usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.details.cached_tokens',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'ai.response.providerMetadata.openai.cachedPromptTokens',
    'ai.response.providerMetadata.anthropic.cacheReadInputTokens',
    'mlflow.chat.tokenUsage.cache_read_input_tokens',
    'langfuse.observation.usage_details.input_cached_tokens',
    'langfuse.observation.usage_details.prompt_tokens_details.cached_tokens',
    'langfuse.observation.usage_details.cache_read_input_tokens',
  ],
  cache_creation_input_tokens: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.response.providerMetadata.anthropic.cacheCreationInputTokens',
    'mlflow.chat.tokenUsage.cache_creation_input_tokens',
    'langfuse.observation.usage_details.cache_creation_input_tokens',
  ],
  /** A part of the output, and priced as output. */
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.completion_tokens_details.reasoning_tokens',
    'gen_ai.usage.output_tokens_details.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'llm.usage.reasoning_tokens',
    'ai.usage.reasoningTokens',
    'ai.response.providerMetadata.openai.reasoningTokens',
    'langfuse.observation.usage_details.output_reasoning_tokens',
    'langfuse.observation.usage_details.completion_tokens_details.reasoning_tokens',
  ],
} as const;

/** Counts that come beside the input's in these, and not as a part of it. */
export const APART_FROM_INPUT = ['langfuse.observation.usage_details.input'] as const;

/**
 * Whose usage a span states, by an attribute that says what it is: the first that matches counts, see `UsageScope`.
 * Model calls state their own, everything that runs model calls a sum.
 */
export const USAGE_SCOPES: readonly [key: string, value: RegExp, scope: 'own' | 'all'][] = [
  ['ai.operationId', /\.do[A-Z]/, 'own'],
  ['ai.operationId', /./, 'all'],
  ['gen_ai.operation.name', /^(chat|completion|text_completion|generate_content|embeddings?|rerank)/, 'own'],
  ['gen_ai.operation.name', /./, 'all'],
  ['openinference.span.kind', /^(LLM|EMBEDDING|RERANKER)$/i, 'own'],
  ['openinference.span.kind', /./, 'all'],
  ['langfuse.observation.type', /^(generation|embedding)$/, 'own'],
  ['langfuse.observation.type', /./, 'all'],
  ['mlflow.spanType', /^"?(LLM|CHAT_MODEL|EMBEDDING|RERANKER)"?$/, 'own'],
  ['mlflow.spanType', /./, 'all'],
  ['llm.request.type', /./, 'own'],
  ['traceloop.span.kind', /./, 'all'],
  ['agent_name', /./, 'all'],
];
