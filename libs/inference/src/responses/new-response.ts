import type { Item } from './input-items.js';
import type { ResponseObject } from './response-object.js';

export interface NewResponse {
  teamId: string | null;
  userId: string;
  response: ResponseObject;
  previousId: string | null;
  input: readonly Item[];
}

/** Queries of a statement that store a response with its items: `made` has its id. They take {@link newResponseValues}. */
export const NEW_RESPONSE = `
  made AS (
    INSERT INTO responses (id, team_id, user_id, previous_id, body) VALUES ($1, $2, $3, $4, $5) RETURNING id
  ), said AS (
    INSERT INTO response_items (response_id, position, id, is_output, item)
    SELECT made.id, item.position, item.id, item.is_output, item.text
    FROM made, unnest($6::int[], $7::text[], $8::bool[], $9::text[]) AS item (position, id, is_output, text)
  )`;

export function newResponseValues({ teamId, userId, response, previousId, input }: NewResponse): unknown[] {
  const items = [...input, ...response.output];
  return [
    response.id,
    teamId,
    userId,
    previousId,
    JSON.stringify(response),
    items.map((_, position) => position),
    items.map(({ id }) => id),
    items.map((_, position) => position >= input.length),
    items.map((item) => JSON.stringify(item)),
  ];
}
