import { checkSummary, ownConfigOf, readSdkConfig, sdkConfigOf } from './sdk-config.js';

const SENT =
  '{"lr": {"value": 1.0}, "deep": {"value": {"value": 1}}, "bad": {"value": NaN}, "_wandb": {"value": {"t": {"1": [5]}, "m": []}}}';

describe("a client's configuration", () => {
  it('is kept as it was written, and read without its wrapping and its own part', () => {
    expect(readSdkConfig(SENT)).toEqual({
      config: { lr: 1, deep: { value: 1 }, bad: 'NaN' },
      clientConfig: SENT,
    });
    expect(sdkConfigOf({ config: '{"lr": 1}', clientConfig: SENT })).toBe(SENT);
  });

  it('is wrapped for the client where another wrote it', () => {
    expect(sdkConfigOf({ config: '{"base_model":"tiny","n":{"value":2}}', clientConfig: null })).toBe(
      '{"base_model":{"value":"tiny"},"n":{"value":{"value":2}}}',
    );
  });

  it('tells parts of what is its own', () => {
    expect(ownConfigOf(SENT, ['t', 'absent'])).toBe('{"t":{"1":[5]}}');
    expect(ownConfigOf(null, ['t'])).toBe('{}');
  });

  it.each(['[]', '{', '1'])('is refused where it is no object: %s', (text) => {
    expect(() => readSdkConfig(text)).toThrow(/must be a JSON object/);
    expect(() => checkSummary(text)).toThrow(/must be a JSON object/);
  });
});
