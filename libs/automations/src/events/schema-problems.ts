import { unknownField, type ValidationDetail, ValidationError } from '@heddle/http';
import type { TSchema } from 'typebox';

/** As a compiled schema reports it. */
export interface SchemaProblem {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

/**
 * What is wrong with a part of a body, once for each place, in words that tell what to do.
 * @param root where the part stands in the request
 * @param schema what it was checked by
 */
export function schemaError(problems: readonly SchemaProblem[], root: string[], schema: TSchema): ValidationError {
  const found = new Map<string, ValidationDetail>();
  const put = (detail: ValidationDetail): void => {
    const place = detail.loc.join('/');
    if (!found.has(place)) found.set(place, detail);
  };
  const add = (path: string[], msg: string, type: string): void => put({ loc: [...root, ...path], msg, type });
  for (const { keyword, instancePath, params, message } of problems) {
    const path = instancePath.split('/').slice(1).map(unescapePointer);
    if ('requiredProperties' in params) {
      for (const field of params.requiredProperties as string[])
        add([...path, field], `${field} is required`, 'missing');
    } else if (keyword === 'boolean') {
      put(unknownField([...root, ...path.slice(0, -1)], path.at(-1) ?? '', fieldsAt(schema, path.slice(0, -1))));
    } else if (keyword !== 'additionalProperties') {
      const allowed = 'allowedValues' in params ? `: ${(params.allowedValues as string[]).join(', ')}` : '';
      add(path, message + allowed, `${keyword}_error`);
    }
  }
  return new ValidationError([...found.values()]);
}

/** What may stand at a place. */
function fieldsAt(schema: TSchema, path: string[]): string[] {
  let at: TSchema | undefined = schema;
  for (const name of path) at = propertiesOf(at)[name];
  return Object.keys(propertiesOf(at));
}

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema && 'properties' in schema ? schema.properties : {}) as Record<string, TSchema>;

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');
