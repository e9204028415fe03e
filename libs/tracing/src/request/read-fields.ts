import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads the fields that the schema names out of an object node and checks them; all others are ignored, unread. */
export type FieldReader<T> = (node: JsonNode | undefined, loc?: (string | number)[]) => T;

/**
 * Compiles a reader for small, typed fields. Payloads (`val`, `inputs`, rows) don't belong in the schema: take their
 * `raw()` text from the node. An explicit null counts as absent, as the Python SDK writes every unset field as null.
 */
export function fieldReader<S extends TObject>(schema: S): FieldReader<Static<S>> {
  const check = Compile(schema);
  const names = Object.keys(schema.properties);
  return (node, loc = ['body']) => {
    if (node?.kind !== 'object') throw ValidationError.at(loc, 'must be an object', 'object_type', node?.kind);
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const field = node.get(name);
      if (field && field.kind !== 'null') fields[name] = field.value();
    }
    if (check.Check(fields)) return fields;
    throw new ValidationError(
      check.Errors(fields).map((error) => ({
        loc: [...loc.map(String), ...placeOf(error)],
        msg: error.message,
        type: error.keyword === 'required' ? 'missing' : `${error.keyword}_error`,
      })),
    );
  };
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  params: object;
}

/** JSON pointer to `loc`; a missing property is named itself, not its parent. */
function placeOf(error: SchemaError): string[] {
  const path = error.instancePath.split('/').slice(1);
  const missing = 'requiredProperties' in error.params ? (error.params.requiredProperties as string[]) : [];
  return missing[0] === undefined ? path : [...path, missing[0]];
}
