import { type Price, priceAt } from './model-price.js';
import { priceSpans } from './price-spans.js';

const at = (day: string): string => `2026-${day}T00:00:00.000000Z`;

const price = (day: string, prompt_token_cost: number, pricing_level: Price['pricing_level'] = 'project'): Price => ({
  llm_id: 'm',
  provider_id: 'default',
  prompt_token_cost,
  completion_token_cost: 0,
  cache_read_input_token_cost: 0,
  cache_creation_input_token_cost: 0,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: at(day),
  created_at: at(day),
  created_by: 'ada',
  pricing_level,
  pricing_level_id: 'acme/support',
});

describe('priceSpans', () => {
  const prices = [price('03-01', 3), price('02-01', 2), price('01-01', 1, 'default'), price('04-01', 4, 'default')];

  it('are the same choice as priceAt makes for a call at any time', () => {
    for (const day of ['00-00', '01-01', '01-15', '02-01', '02-15', '03-01', '03-15', '04-01', '12-31']) {
      const covering = priceSpans(prices).filter(
        ({ from, until }) => (from === null || from <= at(day)) && (until === null || at(day) < until),
      );
      expect(covering.map((span) => span.prompt_token_cost)).toEqual([priceAt(prices, at(day))!.prompt_token_cost]);
    }
  });

  it('are none for a model without a price', () => {
    expect(priceSpans([])).toEqual([]);
  });
});
