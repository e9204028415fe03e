import { callCosts } from './call-costs.js';
import { DEFAULT_PRICES } from './default-prices.js';
import { type Price, priceAt } from './model-price.js';

const STARTED = '2026-06-01T00:00:00.000000Z';

const given = (price: Partial<Price> = {}): Price => ({
  llm_id: 'm',
  provider_id: 'default',
  prompt_token_cost: 2,
  completion_token_cost: 3,
  cache_read_input_token_cost: 0.5,
  cache_creation_input_token_cost: 4,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: '2026-01-01T00:00:00.000000Z',
  created_at: '2026-01-01T00:00:00.000000Z',
  created_by: 'ann',
  pricing_level: 'project',
  pricing_level_id: 'acme/support',
  ...price,
});

const costsOf = (summary: string | null, price = given()): unknown => {
  const text = callCosts({ started_at: STARTED, summary }, (model) => (model === 'm' ? [price] : []));
  return text && (JSON.parse(text.toString()) as unknown);
};

describe('priceAt', () => {
  const early = given({ effective_date: '2026-02-01T00:00:00.000000Z' });
  const late = given({ effective_date: '2026-03-01T00:00:00.000000Z' });
  const future = given({ effective_date: '2026-07-01T00:00:00.000000Z' });
  const listed = given({ pricing_level: 'default', effective_date: '2026-05-01T00:00:00.000000Z' });

  it.each([
    ['the newest of those in effect', [early, late, future], late],
    ["the project's own before a newer one of the list", [listed, early], early],
    ["the list's that is in effect before the project's own that is not yet", [future, listed], listed],
    ['one that came later where none was in effect', [future], future],
    ['one that takes effect at that very moment', [early, given({ effective_date: STARTED })], undefined],
  ])('takes %s', (_name, prices, expected) => {
    expect(priceAt(prices, STARTED)).toEqual(expected ?? prices[1]);
  });

  it('takes none where there is none', () => {
    expect(priceAt([], STARTED)).toBeUndefined();
  });
});

describe('callCosts', () => {
  it('multiplies what the usage counts, under either name', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 20, requests: 2, total_tokens: 30 };
    const total = { prompt_tokens_total_cost: 20, completion_tokens_total_cost: 60, total_tokens: 30 };
    expect(costsOf(JSON.stringify({ usage: { m: usage } }))).toMatchObject({ m: { ...usage, ...total } });
    const other = { input_tokens: 10, output_tokens: 20 };
    expect(costsOf(JSON.stringify({ usage: { m: other } }))).toMatchObject({ m: { ...total, prompt_tokens: 10 } });
  });

  it('counts cached tokens at their own price, and only the others at the full one', () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 10, cache_creation_input_tokens: 5 };
    expect(costsOf(JSON.stringify({ usage: { m: usage } }))).toMatchObject({
      m: {
        prompt_tokens_total_cost: 170,
        cache_read_input_tokens_total_cost: 5,
        cache_creation_input_tokens_total_cost: 20,
      },
    });
  });

  it('takes an input that is less than what was cached for one without it, as Anthropic counts', () => {
    const usage = { input_tokens: 1, cache_read_input_tokens: 10 };
    expect(costsOf(JSON.stringify({ usage: { m: usage } }))).toMatchObject({ m: { prompt_tokens_total_cost: 2 } });
  });

  it.each(['prompt_tokens_details', 'input_tokens_details'])('finds cached tokens in %s', (details) => {
    const usage = { prompt_tokens: 100, [details]: { cached_tokens: 40 } };
    expect(costsOf(JSON.stringify({ usage: { m: usage } }))).toMatchObject({
      m: { prompt_tokens_total_cost: 120, cache_read_input_tokens: 40, cache_read_input_tokens_total_cost: 20 },
    });
  });

  it('carries the price that it used', () => {
    expect(costsOf('{"usage": {"m": {}}}')).toMatchObject({
      m: { prompt_token_cost: 2, prompt_token_cost_unit: 'USD', pricing_level: 'project', created_by: 'ann' },
    });
  });

  it('leaves out models without a price: no key, never zero', () => {
    expect(costsOf('{"usage": {"m": {"prompt_tokens": 1}, "m-2": {"prompt_tokens": 1}}}')).not.toHaveProperty('m-2');
    expect(costsOf('{"usage": {"other": {"prompt_tokens": 1}}}')).toBeUndefined();
  });

  it.each([null, '{}', '[]', '{"usage": 3}', '{"usage": {"m": "many"}}', '{"x": "\\"usage\\""}'])(
    'has nothing to say about %s',
    (summary) => {
      expect(costsOf(summary)).toBeUndefined();
    },
  );

  it('takes counts that are no numbers for none', () => {
    const usage = '{"prompt_tokens": "7", "input_tokens": 5, "completion_tokens": 1e999, "requests": null}';
    expect(costsOf(`{"usage": {"m": ${usage}}}`)).toMatchObject({
      m: { prompt_tokens: 5, completion_tokens: 0, requests: 0 },
    });
  });
});

describe('the default price list', () => {
  it('holds costs for one token', () => {
    expect(DEFAULT_PRICES.get('gpt-4o-mini')).toMatchObject({
      prompt_token_cost: 0.15e-6,
      completion_token_cost: 0.6e-6,
      pricing_level: 'default',
      provider_id: 'openai',
    });
  });
});
