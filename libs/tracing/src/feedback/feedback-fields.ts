import { ValidationError } from '@heddle/http';
import { indexJsonSync, type JsonMember, type JsonNode, RawJson } from '@heddle/json';
import { splitPath } from '../query/field-path.js';
import { FEEDBACK_FIELDS } from './feedback-row.js';

export const COUNT = 'count(*)';

/** Asked for alone, the answer is one row: how many there are. */
export const isCount = (fields: string[] | undefined): boolean => fields?.length === 1 && fields[0] === COUNT;

/**
 * What of a row is asked for: fields by name, or a place in the payload (`payload.a.b`), whose value comes as text. All
 * without `fields`.
 * @throws ValidationError for a field that feedback doesn't have
 */
export function fieldPicker(fields: string[] | undefined): (members: JsonMember[]) => JsonMember[] {
  if (!fields || fields.length === 0) return (members) => members;
  const wanted = fields.map((name, i) => fieldOf(name, ['body', 'fields', i]));
  return (members) => {
    const all = new Map(members);
    return wanted.map(({ name, column, path }) => {
      const value = all.get(column);
      return [name, path.length > 0 && value instanceof RawJson ? valueAt(value, path) : (value ?? null)];
    });
  };
}

interface Field {
  name: string;
  column: string;
  path: string[];
}

function fieldOf(name: string, loc: (string | number)[]): Field {
  const [column = '', ...path] = splitPath(name);
  const isOfPayload = column === 'payload' && path.length > 0;
  if (isOfPayload || (path.length === 0 && FEEDBACK_FIELDS.has(column))) return { name, column, path };
  const msg = name === COUNT ? 'is asked for alone' : 'Feedback has no such field';
  throw ValidationError.at(loc, msg, 'unknown_field', name.slice(0, 100));
}

/** As text, which is how it is compared too; '' where there is nothing. */
function valueAt(payload: RawJson, path: string[]): string {
  let node: JsonNode | undefined = indexJsonSync(Buffer.from(payload.text));
  for (const key of path) node = node?.kind === 'array' ? itemAt(node, key) : node?.get(key);
  if (!node || node.kind === 'null') return '';
  return node.string() ?? node.text();
}

function itemAt(array: JsonNode, index: string): JsonNode | undefined {
  return /^\d{1,9}$/.test(index) ? [...array.items()][Number(index)] : undefined;
}
