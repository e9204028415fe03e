import type { PriceSpan } from '../costs/price-spans.js';
import { type QuerySql, searchableText } from '../query/query-sql.js';
import type { UsageMetric } from './call-stats.schema.js';

/** SQL over rows `n` of what was used, with their prices `p`: the parts of what it cost. */
export const COSTS = {
  input_cost: 'n.uncached_input_tokens * p.prompt_token_cost',
  output_cost: 'n.output_tokens * p.completion_token_cost',
  cache_cost:
    'n.cache_read_input_tokens * p.cache_read_input_token_cost + n.cache_creation_input_tokens * p.cache_creation_input_token_cost',
};

/** SQL over rows `n` of what was used, with their prices `p`. What a model without a price costs is unknown: null, never 0. */
export const USAGE: Readonly<Record<UsageMetric, string>> = {
  input_tokens: 'n.input_tokens',
  output_tokens: 'n.output_tokens',
  total_tokens: 'n.total_tokens',
  cache_read_input_tokens: 'n.cache_read_input_tokens',
  cache_creation_input_tokens: 'n.cache_creation_input_tokens',
  input_cost: COSTS.input_cost,
  output_cost: COSTS.output_cost,
  total_cost: `${COSTS.input_cost} + ${COSTS.output_cost} + ${COSTS.cache_cost}`,
};

/** SQL that joins the prices `p` of the models of `n`, at the time that they were used. */
export function costsJoin(time: string, prices: readonly PriceSpan[], sql: QuerySql): string {
  const spans = sql.bind(
    JSON.stringify(prices.map((span) => ({ ...span, model: searchableText(span.model) }))),
    'json',
  );
  return `LEFT JOIN json_to_recordset(${spans}) AS p (model text, "from" timestamptz, until timestamptz,
        prompt_token_cost float8, completion_token_cost float8, cache_read_input_token_cost float8,
        cache_creation_input_token_cost float8)
      ON p.model = n.model AND (p."from" IS NULL OR ${time} >= p."from") AND (p.until IS NULL OR ${time} < p.until)`;
}
