import {
  branchPointOf,
  checkSummary,
  keepForeignConfig,
  keepOthersConfig,
  mergeSummaries,
  ownConfigOf,
  readSdkConfig,
  sdkConfigOf,
} from './sdk-config.js';

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

  it('keeps what another program has set in a run that both write to', () => {
    const known = {
      config: '{"base_model": "tiny", "a": 1, "both": 1}',
      clientConfig:
        '{"a": {"value": 1}, "big": {"value": 12345678901234567890}, "both": {"value": 1}, "_wandb": {"value": {"e": {"x": {"os": "L"}}, "t": 1}}}',
    };
    const sent = '{"b": {"value": 2}, "both": {"value": 2}, "_wandb": {"value": {"e": {"y": {"os": "M"}}, "t": 2}}}';
    const { config, clientConfig } = keepOthersConfig(readSdkConfig(sent), known);
    expect(config).toEqual({ base_model: 'tiny', a: 1, b: 2, both: 2 });
    expect(JSON.parse(clientConfig!)).toMatchObject({
      a: { value: 1 },
      b: { value: 2 },
      both: { value: 2 },
      _wandb: { value: { e: { x: { os: 'L' }, y: { os: 'M' } }, t: 2 } },
    });
    expect(clientConfig).toContain('12345678901234567890');
    expect(keepOthersConfig({ notes: 'x' }, known)).toEqual({ notes: 'x' });
  });

  it('is byte for byte what the only program wrote', () => {
    const known = { config: '{"base_model": "tiny", "lr": 1}', clientConfig: '{"lr": {"value": 1}}' };
    const details = keepOthersConfig(readSdkConfig(SENT), known);
    expect(details.clientConfig).toBe(SENT);
    expect(details.config).toMatchObject({ base_model: 'tiny', deep: { value: 1 } });
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

describe('where a run parts from another', () => {
  const config = (point: unknown): string =>
    JSON.stringify({ lr: { value: 1 }, _wandb: { value: { branch_point: point } } });

  it("is said in the part that is the client's own", () => {
    expect(branchPointOf(config({ run_id: 'parent', step: 3.0 }))).toEqual({ run: 'parent', step: 3 });
    for (const none of [null, undefined, SENT, config(null)]) expect(branchPointOf(none)).toBeNull();
  });

  it.each([[{ run_id: 'parent' }], [{ run_id: 'parent', step: -1 }], [{ step: 1 }], ['parent?_step=1']])(
    'is refused without a run and a step: %j',
    (point) => {
      expect(() => branchPointOf(config(point))).toThrow(/must name a run and a step/);
    },
  );

  it('leaves in the summary what the run had come to by then', () => {
    const known = { clientConfig: config({ run_id: 'parent', step: 3 }), summary: '{"loss": 0.5, "acc": 1}' };
    expect(mergeSummaries(known, '{"acc": 2}')).toBe('{"loss":0.5,"acc":2}');
    expect(mergeSummaries({ ...known, clientConfig: SENT }, '{"acc": 2}')).toBe('{"acc": 2}');
  });
});
