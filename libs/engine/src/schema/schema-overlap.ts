import { ALL_TYPES, isOfType, isSchema, namedTypes, type JsonType, type Schema } from './schema-keywords.js';

type Find = (pointer: string) => unknown;

/** Whether no value can be valid against two of these schemas, as far as types and constants tell. */
export function exclusive(schemas: readonly unknown[], find: Find): boolean {
  const resolved = schemas.map((schema) => follow(schema, find));
  return resolved.every((a, i) => resolved.slice(i + 1).every((b) => a !== null && b !== null && apart(a, b, find)));
}

function apart(a: Schema, b: Schema, find: Find): boolean {
  const [left, right] = [constantsOf(a), constantsOf(b)];
  if (left && right)
    return !left.some((value) => right.some((other) => JSON.stringify(value) === JSON.stringify(other)));
  if (left) return left.every((value) => !isOfType(value, plainTypes(b) ?? ALL_TYPES));
  if (right) return right.every((value) => !isOfType(value, plainTypes(a) ?? ALL_TYPES));
  const [types, others] = [plainTypes(a), plainTypes(b)];
  if (!types || !others) return false;
  const wide = (list: readonly JsonType[]): JsonType[] => list.map((type) => (type === 'integer' ? 'number' : type));
  const shared = wide(types).filter((type) => wide(others).includes(type));
  return shared.length === 0 || (shared.every((type) => type === 'object') && differInConstant(a, b, find));
}

/** Whether both require a member whose constants differ, such as the tag of a tagged union. */
function differInConstant(a: Schema, b: Schema, find: Find): boolean {
  const required = (schema: Schema): unknown[] => (Array.isArray(schema['required']) ? schema['required'] : []);
  return required(a).some((name) => {
    if (!required(b).includes(name)) return false;
    const [left, right] = [a, b].map((schema) => {
      const properties = schema['properties'];
      return isSchema(properties) ? follow(properties[String(name)], find) : null;
    });
    if (!left || !right || !constantsOf(left) || !constantsOf(right)) return false;
    return apart(left, right, find);
  });
}

function follow(schema: unknown, find: Find): Schema | null {
  let found = schema;
  for (let hops = 0; hops < 10 && isSchema(found) && typeof found['$ref'] === 'string'; hops++) {
    found = find(found['$ref']);
  }
  return isSchema(found) ? found : null;
}

function constantsOf(schema: Schema): unknown[] | null {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}

/** Keywords that may leave a schema fewer types than it names. */
const CHOICES = ['$ref', 'anyOf', 'oneOf', 'allOf'];

/** Null: any, or not to be said without a closer look. */
function plainTypes(schema: Schema): readonly JsonType[] | null {
  return CHOICES.every((key) => schema[key] === undefined) ? namedTypes(schema, '#') : null;
}
