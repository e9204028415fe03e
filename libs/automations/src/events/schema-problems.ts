import { type ValidationDetail, ValidationError } from '@heddle/http';

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
 * @param knownFields what may stand in it, if nothing else may
 */
export function schemaError(
  problems: readonly SchemaProblem[],
  root: string[],
  knownFields: string[] = [],
): ValidationError {
  const found = new Map<string, ValidationDetail>();
  const add = (path: string[], msg: string, type: string): void => {
    const loc = [...root, ...path];
    if (!found.has(loc.join('/'))) found.set(loc.join('/'), { loc, msg, type });
  };
  for (const { keyword, instancePath, params, message } of problems) {
    const path = instancePath.split('/').slice(1).map(unescapePointer);
    if ('requiredProperties' in params) {
      for (const field of params.requiredProperties as string[])
        add([...path, field], `${field} is required`, 'missing');
    } else if (keyword === 'boolean') {
      add(path, `There is no such input; there are ${knownFields.join(', ')}`, 'unknown_input');
    } else if (keyword !== 'additionalProperties') {
      const allowed = 'allowedValues' in params ? `: ${(params.allowedValues as string[]).join(', ')}` : '';
      add(path, message + allowed, `${keyword}_error`);
    }
  }
  return new ValidationError([...found.values()]);
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');
