import { Compute } from '../model/compute.js';
import type { ModelConfig } from '../model/model-config.js';
import { DecodePass } from '../model/decode-pass.js';
import { Decoder } from '../model/decoder.js';
import { checkSamplingOptions } from '../sampling/sampling-options.js';
import type { SamplingOptions, SampledToken } from '../protocol/generate.js';
import { Arena } from '../tensor/arena.js';
import { TINY_FAMILIES, tinyModel } from '../model/tiny-model.fixture.js';
import type { SampleSpec } from '../threads/sample-task.js';
import { PromptBoard } from './prompt-board.js';
import { PieceWorker } from './piece-worker.js';
import { SampleScheduler, STEP_ROWS, STEP_SEQUENCES } from './sample-scheduler.js';
import type { PromptOffer } from './divided-prompt.js';

const RANK = 3;

/** @param ask what another thread does when it is asked to help with a prompt */
function setUp(
  cacheBytes = 4_000_000,
  change: Partial<ModelConfig> = {},
  ask?: (offer: PromptOffer, helper: PieceWorker) => void,
) {
  const { model, adapter, config } = tinyModel(change, RANK);
  const region = (bytes: number) => ({ address: model.tensors.allocate(bytes), bytes });
  const compute = new Compute(model.view, model.tensors.allocate(Compute.SCRATCH));
  const arena = region(DecodePass.bytes(config, STEP_ROWS, STEP_SEQUENCES, RANK));
  const helper = new PieceWorker(compute, region(arena.bytes), 1);
  const helpers = ask ? { threads: 2, ask: (offer: PromptOffer) => ask(offer, helper) } : null;
  const scheduler = new SampleScheduler(compute, arena, region(cacheBytes), [], helpers);
  const training = region(4_000_000);
  const decoder = new Decoder(compute, new Arena(training.address, training.bytes));
  return { scheduler, decoder, adapter, config };
}
type SetUp = ReturnType<typeof setUp>;

const prompt = (length: number, seed: number) => Array.from({ length }, (_, i) => (i * 7 + seed * 3) % 37);

function spec({ adapter, config }: SetUp, id: number, tokens: number[], options: SamplingOptions = {}): SampleSpec {
  const limits = {
    contextLength: config.contextLength,
    promptLength: tokens.length,
    vocabularySize: config.vocabularySize,
  };
  const resolved = checkSamplingOptions({ maxTokens: 12, ...options }, limits);
  return {
    id,
    prompt: tokens,
    adapter: { view: adapter, key: 1 },
    options: resolved,
    seed: 5,
    choice: id,
    tools: [],
    toolCalls: 'tagged',
  };
}

/** Steps until nothing is left; what each sequence sampled. */
function finish(scheduler: SampleScheduler): Map<number, SampledToken[]> {
  const sampled = new Map<number, SampledToken[]>();
  while (!scheduler.idle) {
    for (const outcome of scheduler.step()) {
      if (outcome.type === 'failed') throw new Error(outcome.message);
      if (outcome.type === 'token') sampled.set(outcome.id, [...(sampled.get(outcome.id) ?? []), outcome.token]);
    }
  }
  return sampled;
}

function trainingLogprobs({ decoder, adapter }: SetUp, tokens: number[], sampled: SampledToken[]): number[] {
  const sequence = Int32Array.from([...tokens, ...sampled.map(({ id }) => id)]);
  const targets = Int32Array.from(sampled, (_, i) => tokens.length + i);
  const trees = [{ prefix: new Int32Array(), branches: [{ tokens: sequence, targets }] }];
  return [...decoder.forward(trees, adapter).scores.logprobs];
}

describe('the sample scheduler', () => {
  const anyCount = TINY_FAMILIES.flatMap(([family, change]) =>
    [1, 4, 16, 100].map((count) => ({ family, change, count })),
  );
  it.each(anyCount)(
    'samples with the log probabilities of a training pass to the bit, $count at once: $family',
    ({ change, count }) => {
      const engine = setUp(8_000_000, change);
      const prompts = Array.from({ length: count }, (_, i) => prompt(3 + ((i * 13) % 60), i % 5));
      prompts.forEach((tokens, id) => engine.scheduler.add(spec(engine, id, tokens), null));
      const sampled = finish(engine.scheduler);
      prompts.forEach((tokens, id) => {
        const own = sampled.get(id)!;
        expect(own).toHaveLength(12);
        expect(own.map(({ logprob }) => logprob)).toEqual(trainingLogprobs(engine, tokens, own));
      });
    },
  );

  it('samples the same whatever is sampled beside it, before it, or from the same prompt', () => {
    const tokens = prompt(40, 1);
    const alone = setUp();
    alone.scheduler.add(spec(alone, 7, tokens), null);
    const expected = finish(alone.scheduler).get(7);

    const crowded = setUp();
    for (let id = 10; id < 40; id++) crowded.scheduler.add(spec(crowded, id, prompt(id, id)), null);
    crowded.scheduler.step();
    for (let id = 0; id < 8; id++) crowded.scheduler.add(spec(crowded, id, tokens), null);
    const sampled = finish(crowded.scheduler);
    expect(sampled.get(7)).toEqual(expected);
    expect(sampled.get(6)).not.toEqual(expected);

    crowded.scheduler.add(spec(crowded, 7, tokens), null);
    expect(finish(crowded.scheduler).get(7)).toEqual(expected);
  });

  it.each([4_000_000, 60_000])(
    'computes once what sequences share, and each as if alone, in %i bytes',
    (cacheBytes) => {
      const tokens = prompt(20, 3);
      // At this temperature some say the same for long, and then part.
      const options = { temperature: 0.3, maxTokens: 30 };
      const together = setUp(cacheBytes);
      for (let id = 0; id < 12; id++) together.scheduler.add(spec(together, id, tokens, options), null);
      const sampled = finish(together.scheduler);
      for (let id = 0; id < 12; id++) {
        const alone = setUp();
        alone.scheduler.add(spec(alone, id, tokens, options), null);
        expect(sampled.get(id)).toEqual(finish(alone.scheduler).get(id));
      }
      const beginnings = new Set(
        [...sampled.values()].map((own) =>
          own
            .slice(0, 2)
            .map((token) => token.id)
            .join(),
        ),
      );
      expect(beginnings.size).toBeGreaterThan(1);
      expect(beginnings.size).toBeLessThan(12);
    },
  );

  it('starts sequences again where memory runs out, and nobody can tell', () => {
    const options = { maxTokens: 60 };
    const roomy = setUp();
    const tight = setUp(70_000);
    const specs = Array.from({ length: 12 }, (_, id) => [id, prompt(20 + id, id)] as const);
    for (const [id, tokens] of specs) roomy.scheduler.add(spec(roomy, id, tokens, options), null);
    for (const [id, tokens] of specs) tight.scheduler.add(spec(tight, id, tokens, options), null);
    expect(finish(tight.scheduler)).toEqual(finish(roomy.scheduler));
  });

  describe('with a prompt of which other threads compute pieces', () => {
    const LONG = { contextLength: 1024 };
    const long = prompt(900, 1);
    const sampledFrom = (engine: SetUp) => {
      engine.scheduler.add(spec(engine, 1, long), null);
      engine.scheduler.add(spec(engine, 2, prompt(30, 2), { maxTokens: 40 }), null);
      engine.scheduler.add(spec(engine, 3, long), null);
      return finish(engine.scheduler);
    };
    const alone = sampledFrom(setUp(8_000_000, LONG));

    // There are seven pieces and a rest, and what comes third finds all of them in the cache of the first.
    it.each([
      [1, 4],
      [3, 6],
    ])('samples the same, be it %i at a time', (count, all) => {
      let pieces = 0;
      const ask = (offer: PromptOffer, helper: PieceWorker) => {
        for (let i = 0; i < count; i++) pieces += helper.help(offer) ? 1 : 0;
      };
      expect(sampledFrom(setUp(8_000_000, LONG, ask))).toEqual(alone);
      expect(pieces).toBe(all);
    });

    it('begins again without help where a thread died of it', () => {
      const dying = ({ board: buffer }: PromptOffer) => {
        const board = new PromptBoard(buffer);
        board.enter(1);
        board.lost(1);
      };
      expect(sampledFrom(setUp(8_000_000, LONG, dying))).toEqual(alone);
    });

    it('can be stopped in the middle, and what was computed serves the next', () => {
      const engine = setUp(8_000_000, LONG, (offer, helper) => helper.help(offer));
      engine.scheduler.add(spec(engine, 1, long), null);
      engine.scheduler.step();
      engine.scheduler.stop(1);
      expect(engine.scheduler.step()).toEqual([{ type: 'done', id: 1 }]);
      expect(sampledFrom(engine)).toEqual(alone);
    });
  });

  it('fails a sequence that is larger than all the memory, and goes on with the others', () => {
    const engine = setUp(25_000);
    engine.scheduler.add(spec(engine, 1, prompt(110, 1)), null);
    engine.scheduler.add(spec(engine, 2, prompt(4, 1)), null);
    const outcomes = [];
    while (!engine.scheduler.idle) outcomes.push(...engine.scheduler.step());
    expect(outcomes.find(({ id }) => id === 1)).toMatchObject({ type: 'failed', code: 'out_of_memory' });
    expect(outcomes.filter(({ id, type }) => id === 2 && type === 'token')).toHaveLength(12);
  });

  it('ends a stopped sequence at once, with one outcome', () => {
    const engine = setUp();
    engine.scheduler.add(spec(engine, 1, prompt(4, 1), { maxTokens: 100 }), null);
    engine.scheduler.step();
    engine.scheduler.stop(1);
    expect(engine.scheduler.step()).toEqual([{ type: 'done', id: 1 }]);
    expect(engine.scheduler.idle).toBe(true);
  });
});
