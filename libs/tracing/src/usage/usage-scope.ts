import { payloadAt } from '../calls/payload-sql.js';
import type { QuerySql } from '../query/query-sql.js';

/**
 * What the usage that a call states has to do with that of its descendants. Totals count every token once:
 * - `added`: the call's own, and descendants' comes on top. Calls of clients that say nothing else.
 * - `own`: declared the call's own by the conventions of its spans (a model call: `chat`, `embeddings`), so that
 *   descendants' comes on top, unless they state the very same of the same model: two instrumentations saw one request.
 * - `models`: has the descendants' in, model by model, as the official SDKs sum it up, and as a span is taken that says
 *   what it used and not what it is. What exceeds the descendants' is the call's own.
 * - `all`: declared a sum over whatever it called (`invoke_agent`, `ai.generateText`, a chain, a workflow), which may
 *   name another model than its descendants do, or none: `gpt-4o` over `gpt-4o-2024-08-06`. What exceeds theirs, all
 *   models together, is a rest that nobody else states: of descendants that were not sent, say.
 * Descendants are the nearest that state a usage, so that steps between (a tool, a task) change nothing. What is said
 * of a span is in its attribute `usage_scope`, see `USAGE_SCOPES` in `semantic-conventions.ts`.
 */
export type UsageScope = 'added' | 'own' | 'models' | 'all';

/** Official SDKs name themselves so, and only they sum up the usage of children into their parents' summary. */
const SDK_VERSION = ['weave', 'client_version'];

/** SQL: the {@link UsageScope} of `calls c`. */
export function usageScope(sql: QuerySql): string {
  const declared = `${payloadAt('attributes', ['usage_scope'], sql)}.text`;
  return `(CASE
    WHEN ${payloadAt('attributes', SDK_VERSION, sql)}.type IS NOT NULL THEN 'models'
    WHEN c.otel_dump IS NULL THEN 'added'
    WHEN ${declared} IN ('own', 'all') THEN ${declared}
    ELSE 'models' END)`;
}
