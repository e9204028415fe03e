/** Members of a model's usage, read in one go: a look at each would parse it as often. */
const MEMBERS = [
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'prompt_tokens_details',
  'input_tokens_details',
] as const;

/** SQL: the first that is a count of tokens, up to 10^10, or null: clients may send anything. */
const tokens = (...texts: string[]): string => {
  const counts = texts.map(
    (text) => `CASE WHEN ${text} ~ '^[0-9]{1,10}([.][0-9]*)?$' THEN trunc(${text}::numeric) END`,
  );
  return `COALESCE(${counts.join(', ')})`;
};
const member = (name: (typeof MEMBERS)[number]): string => `r.${name}::text`;
const cached = (name: (typeof MEMBERS)[number]): string => `(r.${name} ->> 'cached_tokens')`;

/** Columns of what {@link statedUsage} joins. */
export const TOKEN_COLUMNS = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

/**
 * SQL after `FROM calls c`: a row for each model of a usage, `u.model` and the numbers `t.*`, null nowhere.
 * The same as `tokensOf` reads of one call.
 * @param usage alias of the payload `summary.usage`
 */
export const statedUsage = (usage: string): string => `
  CROSS JOIN LATERAL json_each(CASE WHEN ${usage}.type = 'object' THEN ${usage}.text::json END) AS u (model, usage)
  CROSS JOIN LATERAL json_to_record(CASE WHEN json_typeof(u.usage) = 'object' THEN u.usage END)
    AS r (${MEMBERS.map((name) => `${name} json`).join(', ')})
  CROSS JOIN LATERAL (
    SELECT COALESCE(${tokens(member('prompt_tokens'), member('input_tokens'))}, 0) AS input_tokens,
      COALESCE(${tokens(member('completion_tokens'), member('output_tokens'))}, 0) AS output_tokens,
      ${tokens(member('total_tokens'))} AS stated_total,
      COALESCE(${tokens(
        member('cache_read_input_tokens'),
        cached('prompt_tokens_details'),
        cached('input_tokens_details'),
      )}, 0) AS cache_read_input_tokens,
      COALESCE(${tokens(member('cache_creation_input_tokens'))}, 0) AS cache_creation_input_tokens OFFSET 0
  ) AS s
  CROSS JOIN LATERAL (
    SELECT s.input_tokens, s.output_tokens, COALESCE(s.stated_total, s.input_tokens + s.output_tokens) AS total_tokens,
      s.cache_read_input_tokens, s.cache_creation_input_tokens
  ) AS t`;
