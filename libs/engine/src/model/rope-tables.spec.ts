import { Compute } from './compute.js';
import type { RopeScaling } from './model-config.js';
import { ropeFrequencies, ropeTables } from './rope-tables.js';
import { TINY_CONFIG, tinyModel } from './tiny-model.fixture.js';

/** Llama 3.1's and 3.2's, but for the factor. */
const llama3 = (factor: number): RopeScaling => ({
  type: 'llama3',
  factor,
  lowFactor: 1,
  highFactor: 4,
  originalContext: 8192,
});
const frequencies = (ropeScaling: RopeScaling | null) =>
  ropeFrequencies({ ...TINY_CONFIG, headSize: 64, ropeTheta: 500_000, ropeScaling });

describe("RoPE's frequencies", () => {
  // Written by transformers 5.24: places 0, 1, 14 to 18 and 31 of inv_freq.
  it.each([
    [
      llama3(8),
      [1, 0.663601279258728, 0.0032114461064338684, 0.0013718936825171113, 0.0005248460220173001],
      [0.0001785077911335975, 7.784655463183299e-5, 3.76732259610435e-7],
    ],
    [
      llama3(32),
      [1, 0.663601279258728, 0.0032114461064338684, 0.0012905480107292533, 0.000429556705057621],
      [9.708286233944818e-5, 1.9461638657958247e-5, 9.418306490260875e-8],
    ],
    [
      { type: 'linear', factor: 3 } as const,
      [0.3333333432674408, 0.22120042145252228, 0.0010704820742830634, 0.0007103732204996049, 0.0004714044916909188],
      [0.0003128246171399951, 0.00020759081235155463, 1.0046193210655474e-6],
    ],
  ])('scaled by %j are those of transformers to the bit', (scaling, first, rest) => {
    const found = frequencies(scaling);
    expect([0, 1, 14, 15, 16, 17, 18, 31].map((place) => found[place])).toEqual([...first, ...rest]);
  });

  it('stay where they turn often within the original context, and go down by the factor where they hardly turn', () => {
    const [plain, scaled] = [frequencies(null), frequencies(llama3(8))];
    const ratios = Array.from(plain, (frequency, i) => frequency / scaled[i]!);
    expect(ratios.slice(0, 15).every((ratio) => ratio === 1)).toBe(true);
    ratios.slice(15, 18).forEach((ratio) => expect(ratio > 1 && ratio < 8).toBe(true));
    ratios.slice(18).forEach((ratio) => expect(ratio).toBeCloseTo(8, 5));
  });
});

it("RoPE's tables turn each position by its place times the frequency", () => {
  const { cos, sin } = ropeTables({ ...TINY_CONFIG, ropeScaling: { type: 'linear', factor: 4 } });
  expect([cos.length, sin.length]).toEqual([128 * 4, 128 * 4]);
  expect(cos[0]).toBe(1);
  expect(cos[20 * 4]).toBeCloseTo(Math.cos(5), 6);
  expect(sin[20 * 4]).toBeCloseTo(Math.sin(5), 6);
});

it("RoPE's tables of some positions are those places of the whole tables", () => {
  const config = { ...TINY_CONFIG, contextLength: 64 };
  const [whole, part] = [ropeTables(config), ropeTables(config, 20, 30)];
  expect(part).toEqual({ cos: whole.cos.slice(20 * 4, 30 * 4), sin: whole.sin.slice(20 * 4, 30 * 4) });
});

it("RoPE's tables are computed as far as a pass reaches, and no further than the context", () => {
  const { model, config } = tinyModel({ contextLength: 1300 }, 1);
  const { cos } = ropeTables(config);
  const compute = new Compute(model.view, 0);
  const held = () => model.tensors.floats(model.view.cos, cos.length);
  compute.reach(513);
  expect(held().subarray(0, 1024 * 4)).toEqual(cos.subarray(0, 1024 * 4));
  expect(
    held()
      .subarray(1024 * 4)
      .every((value) => value === 0),
  ).toBe(true);
  compute.reach(1300);
  expect(held()).toEqual(cos);
});
