import type { RemoteSample } from '../remote-sampler.js';

/**
 * A request as vLLM's and SGLang's `/v1/completions` read it. Whatever a server's own generation_config.json could put in its
 * place is said; what asks for nothing is left out, since not every server knows it.
 */
export function completionRequest(sample: RemoteSample, model: string): Record<string, unknown> {
  const { prompt, options, rules } = sample;
  const { stop, stopTokenIds, badWords, allowedTokenIds, logitBias, seed } = options;
  return {
    model,
    prompt,
    n: options.n,
    max_tokens: options.maxTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK > 0 ? options.topK : -1,
    min_p: options.minP,
    repetition_penalty: options.repetitionPenalty,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    logprobs: options.topLogprobs,
    stream: true,
    return_token_ids: true,
    return_tokens_as_token_ids: true,
    ...(seed === null ? {} : { seed }),
    // Looked for here, too: this only saves what would be sampled behind them.
    ...(stop.length > 0 ? { stop, include_stop_str_in_output: true } : {}),
    ...(stopTokenIds.length > 0 ? { stop_token_ids: stopTokenIds } : {}),
    ...(options.ignoreEos ? { ignore_eos: true } : {}),
    ...(options.minTokens > 0 ? { min_tokens: options.minTokens } : {}),
    ...(logitBias.length > 0 ? { logit_bias: Object.fromEntries(logitBias.map(({ id, bias }) => [id, bias])) } : {}),
    ...(allowedTokenIds ? { allowed_token_ids: allowedTokenIds } : {}),
    ...(badWords && badWords.length > 0 ? { bad_words: sample.badWords } : {}),
    ...(rules === null ? {} : { structured_outputs: { grammar: rules } }),
  };
}
