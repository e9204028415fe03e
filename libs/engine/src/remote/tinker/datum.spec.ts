import { countedOf, dataOf, gradientInputs, lossInputs } from './datum.js';

const row = [
  {
    prefix: Int32Array.of(1, 2),
    branches: [
      { tokens: Int32Array.of(3, 4), targets: Int32Array.of(0, 1) },
      { tokens: Int32Array.of(5), targets: Int32Array.of(0) },
    ],
  },
  { prefix: Int32Array.of(), branches: [{ tokens: Int32Array.of(6, 7, 8), targets: Int32Array.of(2) }] },
];

describe('the sequences of a row', () => {
  it('are whole, and each position predicts the next token', () => {
    expect(dataOf(row)).toEqual([
      { input: Int32Array.of(1, 2, 3), targets: Int32Array.of(2, 3, 4), counted: Int32Array.of(1, 2) },
      { input: Int32Array.of(1, 2), targets: Int32Array.of(2, 5), counted: Int32Array.of(1) },
      { input: Int32Array.of(6, 7), targets: Int32Array.of(7, 8), counted: Int32Array.of(1) },
    ]);
  });

  it('give what belongs to their targets, in their order', () => {
    const values = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5), Float32Array.of(6, 7)];
    expect(countedOf(dataOf(row), values)).toEqual(Float32Array.of(2, 3, 5, 7));
  });
});

describe('the inputs of a backward pass', () => {
  const data = dataOf(row);
  const logprobs = data.map(({ targets }) => new Float32Array(targets.length).fill(-1));
  const gradient = Float32Array.of(0.5, -1, 2, 4);

  it('have minus the gradient as advantage, at a ratio of 1', () => {
    const inputs = gradientInputs(data, logprobs, gradient, 'sum');
    expect(inputs.map(({ weights }) => [...weights])).toEqual([
      [0, 1, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(inputs.map(({ advantages }) => [...advantages])).toEqual([
      [0, -0.5, 1],
      [0, -2],
      [0, -4],
    ]);
    expect(inputs.map((input) => input.logprobs)).toEqual(logprobs);
  });

  it('take back what a server divides by: its counted tokens, and the number of sequences', () => {
    const advantages = gradientInputs(data, logprobs, gradient, 'sequence').map((input) => [...input.advantages]);
    expect(advantages).toEqual([
      [0, -0.5 * 6, 6],
      [0, -2 * 3],
      [0, -4 * 3],
    ]);
  });
});

describe("the inputs of a server's own loss", () => {
  it('have old log probabilities and advantages where targets count', () => {
    const [old, advantages] = [Float32Array.of(-1, -2, -3, -4), Float32Array.of(1, -1, 2, 4)];
    const of = (normalization: 'sum' | 'sequence') => lossInputs(dataOf(row), { old, advantages }, normalization);
    expect(of('sum').map(({ logprobs }) => [...logprobs])).toEqual([
      [0, -1, -2],
      [0, -3],
      [0, -4],
    ]);
    expect(of('sum').map((inputs) => [...inputs.advantages])).toEqual([
      [0, 1, -1],
      [0, 2],
      [0, 4],
    ]);
    expect(of('sequence').map((inputs) => [...inputs.advantages])).toEqual([
      [0, 6, -6],
      [0, 6],
      [0, 12],
    ]);
  });
});
