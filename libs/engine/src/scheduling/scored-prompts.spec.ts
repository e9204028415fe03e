import { Compute } from '../model/compute.js';
import { DecodePass } from '../model/decode-pass.js';
import { Decoder } from '../model/decoder.js';
import type { ModelConfig } from '../model/model-config.js';
import { TINY_FAMILIES, tinyModel } from '../model/tiny-model.fixture.js';
import type { PromptToken, SampledToken } from '../protocol/generate.js';
import { checkSamplingOptions } from '../sampling/sampling-options.js';
import { Arena } from '../tensor/arena.js';
import { SampleScheduler, STEP_ROWS, STEP_SEQUENCES } from './sample-scheduler.js';

const RANK = 3;

/** An engine's scheduler, and a training pass with the same weights. */
class Engine {
  readonly scheduler: SampleScheduler;
  private readonly model;
  private readonly decoder: Decoder;

  constructor(change: Partial<ModelConfig>, cacheBytes: number) {
    const { model, config } = (this.model = tinyModel(change, RANK));
    const region = (bytes: number) => ({ address: model.tensors.allocate(bytes), bytes });
    const compute = new Compute(model.view, model.tensors.allocate(Compute.SCRATCH));
    const arena = region(DecodePass.bytes(config, STEP_ROWS, STEP_SEQUENCES, RANK));
    this.scheduler = new SampleScheduler(compute, arena, region(cacheBytes), []);
    const training = region(4_000_000);
    this.decoder = new Decoder(compute, new Arena(training.address, training.bytes));
  }

  add(id: number, prompt: number[], { scores = false, promptLogprobs = 0 } = {}): void {
    const { contextLength, vocabularySize } = this.model.config;
    const limits = { contextLength, vocabularySize, promptLength: prompt.length };
    const options = checkSamplingOptions({ maxTokens: 9, promptLogprobs }, limits);
    const adapter = { view: this.model.adapter, key: 1 };
    const common = { id, prompt, adapter, options, seed: 5, choice: 0, tools: [], toolCalls: 'tagged' as const };
    this.scheduler.add({ ...common, scoresPrompt: scores }, null);
  }

  /** Steps until nothing is left. */
  finish() {
    const scored = new Map<number, readonly PromptToken[]>();
    const sampled = new Map<number, SampledToken[]>();
    const done: number[] = [];
    while (!this.scheduler.idle) {
      for (const outcome of this.scheduler.step()) {
        if (outcome.type === 'failed') throw new Error(outcome.message);
        if (outcome.type === 'scored') scored.set(outcome.id, outcome.tokens);
        else if (outcome.type === 'done') done.push(outcome.id);
        else sampled.set(outcome.id, [...(sampled.get(outcome.id) ?? []), outcome.token]);
      }
    }
    return { scored, sampled, done };
  }

  /** Log probabilities of all tokens after the first, as training computes them. */
  trained(tokens: number[]): number[] {
    const targets = Int32Array.from(tokens.keys()).slice(1);
    const trees = [{ prefix: new Int32Array(), branches: [{ tokens: Int32Array.from(tokens), targets }] }];
    return [...this.decoder.forward(trees, this.model.adapter).scores.logprobs];
  }
}

const prompt = (length: number, seed: number) => Array.from({ length }, (_, i) => (i * 7 + seed * 3) % 37);
const logprobs = (tokens: readonly PromptToken[] | undefined) => tokens?.map(({ logprob }) => logprob);

describe('prompts that are scored', () => {
  it.each(TINY_FAMILIES)('have the log probabilities of a training pass, to the bit: %s', (_, change) => {
    const engine = new Engine(change, 8_000_000);
    const prompts = [1, 2, 30, 64, 65, 100].map((length, seed) => prompt(length, seed));
    prompts.forEach((tokens, id) => engine.add(id, tokens, { scores: true }));
    const { scored, sampled, done } = engine.finish();
    expect(done).toHaveLength(prompts.length);
    expect(sampled.size).toBe(0);
    prompts.forEach((tokens, id) => {
      expect(scored.get(id)!.map((token) => token.id)).toEqual(tokens.slice(1));
      expect(logprobs(scored.get(id))).toEqual(tokens.length > 1 ? engine.trained(tokens) : []);
    });
  });

  it.each([8_000_000, 120_000])('are so among others, in caches of %i bytes, and change nothing of these', (bytes) => {
    const tokens = prompt(50, 1);
    const alone = new Engine({}, 8_000_000);
    alone.add(0, tokens);
    const expected = alone.finish().sampled.get(0);
    const crowded = new Engine({}, bytes);
    for (let id = 0; id < 70; id++)
      crowded.add(id, id % 7 === 0 ? tokens : prompt(20 + id, id), { scores: id % 3 === 0 });
    const { scored, sampled } = crowded.finish();
    for (const id of [0, 21, 42, 63]) expect(logprobs(scored.get(id))).toEqual(crowded.trained(tokens));
    for (const id of [7, 14, 28, 49]) expect(sampled.get(id)).toEqual(expected);
    for (const id of [3, 66]) expect(logprobs(scored.get(id))).toEqual(crowded.trained(prompt(20 + id, id)));
  });

  it('are scored although others have computed them before', () => {
    const engine = new Engine({}, 8_000_000);
    const tokens = prompt(40, 2);
    engine.add(0, tokens);
    engine.finish();
    engine.add(1, tokens, { scores: true });
    expect(logprobs(engine.finish().scored.get(1))).toEqual(engine.trained(tokens));
  });

  it('tell each token’s rank, and as many others as are asked for', () => {
    const engine = new Engine({}, 8_000_000);
    engine.add(0, prompt(40, 2), { scores: true, promptLogprobs: 20 });
    const tokens = engine.finish().scored.get(0)!;
    expect(tokens.every(({ top }) => top.length === 20)).toBe(true);
    const ranked = tokens.filter(({ rank }) => rank <= 20);
    expect(ranked.length).toBeGreaterThan(5);
    for (const { id, rank, logprob, top } of ranked) expect(top[rank - 1]).toEqual({ id, logprob });
    for (const { rank, logprob, top } of tokens) expect(logprob > top[19]!.logprob).toBe(rank < 20);
  });

  it('end when they are stopped', () => {
    const engine = new Engine({}, 8_000_000);
    engine.add(0, prompt(100, 2), { scores: true });
    engine.scheduler.step();
    engine.scheduler.stop(0);
    expect(engine.scheduler.step()).toEqual([{ type: 'done', id: 0 }]);
    expect(engine.scheduler.idle).toBe(true);
  });
});
