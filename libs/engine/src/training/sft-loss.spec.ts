import { addSftSums, sftLoss } from './sft-loss.js';

describe('sftLoss', () => {
  it('is the mean negative log likelihood, with a slope of -1/T for each target', () => {
    const { gradient, sums } = sftLoss({ logprobs: Float32Array.of(-1, -3, -0.5) }, 4);
    expect(sums).toEqual({ loss: 4.5 / 4, targets: 3, maxAbsLogprob: 3 });
    expect([...gradient]).toEqual([-0.25, -0.25, -0.25]);
  });

  it('adds up over the parts of a batch', () => {
    const parts = [Float32Array.of(-1, -3), Float32Array.of(-0.5)].map((logprobs) => sftLoss({ logprobs }, 4).sums);
    expect(addSftSums(parts[0]!, parts[1]!)).toEqual({ loss: 4.5 / 4, targets: 3, maxAbsLogprob: 3 });
  });

  it('divides nothing by 0', () => {
    expect(sftLoss({ logprobs: new Float32Array(0) }, 0).sums).toEqual({ loss: 0, targets: 0, maxAbsLogprob: 0 });
  });
});
