import { EngineError } from '../../protocol/engine.errors.js';
import type { ResolvedOptions } from '../../sampling/sampling-options.js';
import type { RemoteSample, RemoteSampler, SampledPiece } from '../remote-sampler.js';
import { readRemoteAdapter } from './remote-adapter.js';
import { readSamples } from './sample-results.js';
import { SamplingSessions } from './sampling-sessions.js';
import type { TinkerService } from './tinker-service.js';

/** What the protocol has no field for, by its name on the wire, and whether it is asked for. */
const UNSUPPORTED: readonly [string, (options: ResolvedOptions) => boolean][] = [
  ['response_format', ({ format }) => format !== null],
  ['min_p', ({ minP }) => minP > 0],
  ['min_tokens', ({ minTokens }) => minTokens > 0],
  ['repetition_penalty', ({ repetitionPenalty }) => repetitionPenalty !== 1],
  ['presence_penalty', ({ presencePenalty }) => presencePenalty !== 0],
  ['frequency_penalty', ({ frequencyPenalty }) => frequencyPenalty !== 0],
  ['logit_bias', ({ logitBias }) => logitBias.length > 0],
  ['bad_words', ({ badWords }) => (badWords?.length ?? 0) > 0],
  ['allowed_token_ids', ({ allowedTokenIds }) => allowedTokenIds !== undefined],
  ['top_logprobs', ({ topLogprobs }) => topLogprobs > 0],
];

/** Samples on the server that trains. Its answers come whole. */
export class TinkerSampler implements RemoteSampler {
  private readonly sessions: SamplingSessions;

  constructor(
    private readonly service: TinkerService,
    baseModel: string,
  ) {
    this.sessions = new SamplingSessions(service, baseModel);
  }

  async *sample(request: RemoteSample, signal?: AbortSignal): AsyncGenerator<SampledPiece> {
    const { prompt, options, adapter } = request;
    refuseUnsupported(options);
    const remote = adapter === null ? null : await readRemoteAdapter(adapter, this.service.host);
    const session = await this.sessions.of(remote);
    const body = {
      type: 'sample',
      sampling_session_id: session.id,
      seq_id: session.nextSequence(),
      num_samples: options.n,
      prompt: { chunks: [{ type: 'encoded_text', tokens: prompt }] },
      sampling_params: {
        max_tokens: options.maxTokens,
        ...(options.seed === null ? {} : { seed: options.seed }),
        // Strings are looked for here; tokens and strings can't be named together.
        stop: options.ignoreEos ? options.stopTokenIds : [...request.endTokenIds, ...options.stopTokenIds],
        temperature: options.temperature,
        top_k: options.topK > 0 ? options.topK : -1,
        top_p: options.topP,
      },
    };
    const { passes } = await this.service.traits(signal);
    const result = await this.service.run('asample', body, { signal, acceptType: passes.accept });
    for (const [choice, tokens] of readSamples(result, options.n).entries()) yield { choice, tokens };
  }

  async close(): Promise<void> {
    this.sessions.close();
  }
}

function refuseUnsupported(options: ResolvedOptions): void {
  const found = UNSUPPORTED.find(([, isAsked]) => isAsked(options));
  if (!found) return;
  const why = `${found[0]} can't be honoured: the trainer samples this model, and its protocol doesn't have it`;
  throw new EngineError('invalid_request', why, found[0]);
}
