import { promptTokens } from '../text/prompt-tokens.js';
import { outputRules } from '../grammar/output-rules.js';
import { EngineError } from '../protocol/engine.errors.js';
import type { GenerateEvent, GenerateRequest } from '../protocol/generate.js';
import { Follower } from '../sampling/follower.js';
import { checkSamplingOptions } from '../sampling/sampling-options.js';
import type { RemoteBase } from './remote-base.js';
import type { RemoteSampler } from './remote-sampler.js';

/**
 * One request's completions, sampled on another machine. The prompt is rendered and tokenized here, and what comes back are
 * tokens, which are read as those of the embedded engine are: sampling and training see the same.
 */
export async function* remoteGeneration(
  { info, texts, endTokenIds }: RemoteBase,
  sampler: RemoteSampler,
  request: GenerateRequest,
  signal?: AbortSignal,
): AsyncGenerator<GenerateEvent> {
  const tools = ('messages' in request.prompt && request.prompt.tools) || [];
  const prompt = promptTokens(texts, request.prompt, info.vocabularySize);
  const options = checkSamplingOptions(request.options, {
    contextLength: info.contextLength,
    vocabularySize: info.vocabularySize,
    promptLength: prompt.length,
    defaults: request.forTraining ? {} : info.sampling,
    encode: (text) => [...texts.tokenizer.encode(text)],
  });
  if (options.promptLogprobs !== undefined) {
    const why = "prompt_logprobs can't be honoured: this model is sampled on another machine";
    throw new EngineError('invalid_request', why, 'prompt_logprobs');
  }
  // Looked up only where there may be calls.
  const form = tools.length > 0 ? texts.template.toolCallForm : 'tagged';
  const output = options.format ? outputRules(options.format, tools, form) : null;
  yield { type: 'prompt', tokenIds: prompt, ...(form === 'tagged' ? {} : { toolCalls: form }) };
  const events: GenerateEvent[] = [];
  const followers = Array.from({ length: options.n }, (_, choice) => {
    const how = { choice, whole: request.whole, toolCalls: tools.length > 0 ? form : null };
    return new Follower({ tokenizer: texts.tokenizer, endTokenIds }, options, how, (event) => events.push(event));
  });
  const { badWords } = request.options;
  const asked = { prompt, adapter: request.adapter, options, endTokenIds, badWords, rules: output?.rules ?? null };
  for await (const { choice, tokens } of sampler.sample(asked, signal)) {
    const follower = followers[choice];
    if (!follower) throw new EngineError('bad_answer', `the inference server sent a completion ${choice}`);
    for (const token of tokens) if (!follower.hasEnded) follower.token(token);
    if (follower.hasEnded) refuseWrong(output?.check?.(follower.text) ?? null);
    yield* events.splice(0);
    // What is sampled behind a stop string is nobody's.
    if (followers.every(({ hasEnded }) => hasEnded)) return;
  }
  if (signal?.aborted) throw new EngineError('cancelled', 'the generation was stopped');
  throw new EngineError('unavailable', 'the inference server broke off before the end of the completion');
}

function refuseWrong(complaint: string | null): void {
  if (complaint === null) return;
  throw new EngineError('invalid_answer', `What was sampled is not valid: ${complaint}.`, 'response_format');
}
