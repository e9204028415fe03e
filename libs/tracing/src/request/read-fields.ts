import { ValidationError } from '@heddle/http';
import { indexJsonSync, JsonLimitError, type JsonNode } from '@heddle/json';
import { wrongKind } from './wrong-kind.js';
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads the fields that the schema names out of an object node and checks them; all others are ignored, unread. */
export type FieldReader<T> = (node: JsonNode | undefined, loc?: (string | number)[]) => T;

const MAX_DEPTH = 100;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_VALUES = 200_000;
/** Whatever is in here is made in a few milliseconds. */
const UNCOUNTED_BYTES = 128 * 1024;

/**
 * Compiles a reader for small, typed fields. Payloads (`val`, `inputs`, rows) don't belong in the schema: take their
 * `raw()` text from the node. An explicit null counts as absent, as the Python SDK writes every unset field as null.
 */
export function fieldReader<S extends TObject>(schema: S): FieldReader<Static<S>> {
  const check = Compile(schema);
  const names = Object.keys(schema.properties);
  return (node, loc = ['body']) => {
    if (node?.kind !== 'object') throw wrongKind(loc, 'object', node);
    const fields: Record<string, unknown> = {};
    for (const name of names) {
      const field = node.get(name);
      if (field && field.kind !== 'null') fields[name] = valueOf(field, [...loc, name]);
    }
    if (check.Check(fields)) return fields;
    throw new ValidationError(
      check.Errors(fields).flatMap((error) => {
        const at = [...loc.map(String), ...error.instancePath.split('/').slice(1)];
        if (error.keyword !== 'required') return [{ loc: at, msg: error.message, type: `${error.keyword}_error` }];
        return missingIn(error).map((name) => ({ loc: [...at, name], msg: `${name} is required`, type: 'missing' }));
      }),
    );
  };
}

/** Parsed at once, so that it must be known to be small; longer lists than these no schema takes. */
function valueOf(field: JsonNode, loc: (string | number)[]): unknown {
  if (field.nesting > MAX_DEPTH) throw ValidationError.at(loc, `deeper than ${MAX_DEPTH} levels`, 'too_deep');
  if (field.byteLength > MAX_BYTES) throw ValidationError.at(loc, `more than ${MAX_BYTES} bytes`, 'too_long');
  if (field.byteLength > UNCOUNTED_BYTES) countValues(field, loc);
  return field.value();
}

function countValues(field: JsonNode, loc: (string | number)[]): void {
  try {
    indexJsonSync(field.raw(), { depth: MAX_DEPTH, maxNodes: MAX_VALUES });
  } catch (error) {
    throw error instanceof JsonLimitError ? ValidationError.at(loc, error.message, 'too_long') : error;
  }
}

interface SchemaError {
  params: object;
}

const missingIn = ({ params }: SchemaError): string[] =>
  'requiredProperties' in params ? (params.requiredProperties as string[]) : [];
