import { adapterShape, MAX_RANK } from './adapter-limits.js';

describe('adapterShape', () => {
  it('is what is named, else what the base model says, else rank 8, and twice the rank as alpha', () => {
    expect(adapterShape(undefined)).toEqual({ rank: 8, alpha: 16 });
    expect(adapterShape({ rank: 16 })).toEqual({ rank: 16, alpha: 32 });
    expect(adapterShape({ rank: 16 }, { rank: 8, alpha: 512 })).toEqual({ rank: 16, alpha: 512 });
    expect(adapterShape({ alpha: 32 }, { rank: 4, alpha: 8 })).toEqual({ rank: 4, alpha: 32 });
    expect(adapterShape({}, { rank: 4, alpha: 8 })).toEqual({ rank: 4, alpha: 8 });
  });

  it.each([0, -1, 1.5, NaN, MAX_RANK + 1])('refuses a rank of %p and says what may be', (rank) => {
    expect(() => adapterShape({ rank })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'lora_rank',
        message: `a LoRA rank of ${rank}; it may be from 1 to 64`,
      }),
    );
  });

  it.each([0, -8, NaN, Infinity])('refuses an alpha of %p', (alpha) => {
    expect(() => adapterShape({ alpha })).toThrow(expect.objectContaining({ param: 'lora_alpha' }));
  });
});
