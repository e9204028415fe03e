import { checkSummary, keepForeignConfig, ownConfigOf, readSdkConfig, sdkConfigOf } from './sdk-config.js';

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

  it('leaves alone what a client never set, and takes away what it no longer has', () => {
    const known = {
      config: '{"base_model": "tiny", "lr": 1, "old": 2}',
      clientConfig: '{"lr": {"value": 1}, "old": {"value": 2}}',
    };
    const details = readSdkConfig('{"lr": {"value": 3}}');
    expect(keepForeignConfig(details, known).config).toEqual({ base_model: 'tiny', lr: 3 });
    expect(keepForeignConfig(details, { ...known, clientConfig: null }).config).toMatchObject({ old: 2, lr: 3 });
    expect(keepForeignConfig({ notes: 'x' }, known)).toEqual({ notes: 'x' });
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
