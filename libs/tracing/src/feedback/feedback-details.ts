/** What a scorer, or an agent's trace, adds to the payload. Stored and returned as it came. */
export const DETAILS = [
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
  'span_agent_name',
  'span_agent_version',
  'span_status_code',
  'span_conversation_id',
  'span_trace_id',
  'scorer_trace_id',
] as const;

/** JSON text of each where it is unset. */
export const UNSET_DETAILS: Readonly<Record<(typeof DETAILS)[number], string>> = {
  scorer_tags: '[]',
  scorer_tag_reasons: '{}',
  scorer_tag_confidences: '{}',
  scorer_ratings: '{}',
  scorer_rating_reasons: '{}',
  scorer_rating_confidences: '{}',
  span_agent_name: '""',
  span_agent_version: '""',
  span_status_code: '"UNSET"',
  span_conversation_id: '""',
  span_trace_id: '""',
  scorer_trace_id: '""',
};
