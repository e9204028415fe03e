import { EngineError } from '../../protocol/engine.errors.js';
import type { InferenceSource } from '../../protocol/engine.js';
import type { RemoteSample, RemoteSampler, SampledPiece } from '../remote-sampler.js';
import { Upstream } from './upstream.js';

/** A server that failed is asked again after so many milliseconds, or when there is no other. */
const REST_MS = 10_000;

interface Rested {
  upstream: Upstream;
  /** Until then the others are asked first. */
  restsUntil: number;
}

/** Samples on inference servers: the one with the fewest requests is asked, and where it fails at once the next one. */
export class OpenAiSampler implements RemoteSampler {
  private readonly upstreams: Rested[];

  constructor(sources: readonly InferenceSource[], baseModel: string) {
    this.upstreams = sources.map((source) => ({
      upstream: new Upstream(source, source.model ?? baseModel),
      restsUntil: 0,
    }));
  }

  async *sample(request: RemoteSample, signal?: AbortSignal): AsyncGenerator<SampledPiece> {
    const left = new Set(this.upstreams);
    for (;;) {
      const next = this.pick(left);
      left.delete(next);
      const { upstream } = next;
      let begun = false;
      upstream.inFlight += 1;
      try {
        for await (const piece of upstream.complete(request, signal)) {
          begun ||= piece.tokens.length > 0;
          yield piece;
        }
        next.restsUntil = 0;
        return;
      } catch (error) {
        const passes = error instanceof EngineError && error.code === 'unavailable';
        if (passes) next.restsUntil = performance.now() + REST_MS;
        // What has been told can't be taken back.
        if (!passes || begun || left.size === 0) throw error;
      } finally {
        upstream.inFlight -= 1;
      }
    }
  }

  get servers(): Upstream[] {
    return this.upstreams.map(({ upstream }) => upstream);
  }

  async close(): Promise<void> {
    // Its requests end with those who wait for them.
  }

  private pick(left: ReadonlySet<Rested>): Rested {
    const now = performance.now();
    const awake = [...left].filter(({ restsUntil }) => restsUntil <= now);
    const candidates = awake.length > 0 ? awake : [...left];
    return candidates.reduce((best, one) => (one.upstream.inFlight < best.upstream.inFlight ? one : best));
  }
}
