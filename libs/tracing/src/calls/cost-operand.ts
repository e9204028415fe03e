import { ValidationError } from '@heddle/http';
import type { PriceSpan } from '../costs/price-spans.js';
import { numberOperand, type Operand } from '../query/operand.js';
import { type QuerySql, searchableText } from '../query/query-sql.js';
import { statedUsage } from '../usage/stated-usage-sql.js';
import type { CostField } from './call-field.js';
import { payloadAt } from './payload-sql.js';

const CACHED = '(t.cache_read_input_tokens + t.cache_creation_input_tokens)';
/** As `callCosts` works them out for one call. */
const COSTS: Readonly<Record<CostField['name'], string>> = {
  prompt_tokens_total_cost: `(t.input_tokens - CASE WHEN ${CACHED} <= t.input_tokens THEN ${CACHED} ELSE 0 END) * p.prompt_token_cost`,
  completion_tokens_total_cost: 't.output_tokens * p.completion_token_cost',
  cache_read_input_tokens_total_cost: 't.cache_read_input_tokens * p.cache_read_input_token_cost',
  cache_creation_input_tokens_total_cost: 't.cache_creation_input_tokens * p.cache_creation_input_token_cost',
  prompt_token_cost: 'p.prompt_token_cost',
  completion_token_cost: 'p.completion_token_cost',
  cache_read_input_token_cost: 'p.cache_read_input_token_cost',
  cache_creation_input_token_cost: 'p.cache_creation_input_token_cost',
  prompt_tokens: 't.input_tokens',
  completion_tokens: 't.output_tokens',
  total_tokens: 't.total_tokens',
};

const ALL_MODELS = '*';

/** What a call cost, by a model or by all. Null where it used none that has a price. */
export function costOperand({ model, name }: CostField, sql: QuerySql, prices?: readonly PriceSpan[]): Operand {
  if (!prices) throw ValidationError.at(['body', 'query'], "Costs can't be asked for here", 'unknown_field');
  const list = sql.once('prices', () => {
    const spans = prices.map((span) => ({ ...span, model: searchableText(span.model) }));
    return sql.bind(JSON.stringify(spans), 'json');
  });
  const usage = payloadAt('summary', ['usage'], sql);
  const isWanted = model === ALL_MODELS ? 'true' : `u.model = ${sql.bind(searchableText(model), 'text')}`;
  return numberOperand(
    sql.derived(`(
      SELECT sum((${COSTS[name]})::float8)::numeric FROM (SELECT) AS one ${statedUsage(usage)}
      JOIN json_to_recordset(${list}) AS p (model text, "from" timestamptz, until timestamptz, prompt_token_cost float8,
          completion_token_cost float8, cache_read_input_token_cost float8, cache_creation_input_token_cost float8)
        ON p.model = u.model AND (p."from" IS NULL OR c.started_at >= p."from")
          AND (p.until IS NULL OR c.started_at < p.until)
      WHERE ${isWanted} AND json_typeof(u.usage) = 'object')`),
  );
}
