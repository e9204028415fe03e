import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';

/** For a field that must be of a kind and isn't: absent, or null as SDKs write what is absent, or something else. */
export function wrongKind(
  loc: readonly (string | number)[],
  kind: 'object' | 'list',
  node: JsonNode | undefined,
): ValidationError {
  if (!node || node.kind === 'null')
    return ValidationError.at([...loc], `${String(loc.at(-1))} is required`, 'missing');
  return ValidationError.at([...loc], kind === 'object' ? 'must be an object' : 'must be a list', `${kind}_type`);
}

/** Of values that may be anything, null too, but not absent. @throws ValidationError */
export function requirePayloads(body: JsonNode, ...names: string[]): void {
  const missing = names.filter((name) => !body.get(name));
  if (missing.length === 0) return;
  throw new ValidationError(
    missing.map((name) => ({ loc: ['body', name], msg: `${name} is required`, type: 'missing' })),
  );
}
