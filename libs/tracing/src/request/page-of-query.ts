import { ValidationError } from '@heddle/http';

const MAX_ROWS = 2_147_483_647;

/** `limit` and `offset` of a query string. */
export function pageOf({ limit, offset }: { limit?: string; offset?: string }): { limit?: number; offset?: number } {
  return { ...rowsOf('limit', limit), ...rowsOf('offset', offset) };
}

function rowsOf(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined || text === '') return {};
  const rows = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
  if (rows <= MAX_ROWS) return { [name]: rows };
  throw ValidationError.at(['query', name], `must be a whole number, at most ${MAX_ROWS}`, 'integer_type');
}

/** A parameter that may be repeated; undefined if it isn't there at all. */
export const textsOf = (value: string | string[] | undefined): string[] | undefined =>
  value === undefined ? undefined : [value].flat();

/** As {@link textsOf}, of a parameter that must be there. @throws ValidationError */
export function requiredTexts(value: string | string[] | undefined, name: string): string[] {
  const texts = textsOf(value);
  if (!texts) throw ValidationError.at(['query', name], `${name} is required`, 'missing');
  return texts;
}
