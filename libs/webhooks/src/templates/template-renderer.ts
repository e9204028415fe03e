import { writeExact } from '@heddle/json';
import { MASK } from '@heddle/secrets';
import { PayloadTooLargeError } from './template.errors.js';
import {
  MAX_PAYLOAD_BYTES,
  type Placeholder,
  type Reference,
  type Template,
  type TemplateSecrets,
  type TemplateVariables,
} from './template.js';

/**
 * Fills a template in, in one pass: what was put in is never looked at again.
 * @returns JSON
 * @throws PayloadTooLargeError
 */
export function render(template: Template, variables: TemplateVariables, secrets: TemplateSecrets): string {
  const rendered: string[] = [];
  let bytes = 0;
  for (const part of template.parts) {
    const text = typeof part === 'string' ? part : renderPlaceholder(part, variables, secrets);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_PAYLOAD_BYTES) throw new PayloadTooLargeError(MAX_PAYLOAD_BYTES);
    rendered.push(text);
  }
  return rendered.join('');
}

/** What somebody may see of it: the secrets that the webhook has, masked. */
export function renderMasked(
  template: Template,
  variables: TemplateVariables,
  has: { accessToken: boolean; secret: boolean },
): string {
  const masked = (present: boolean): string | null => (present ? MASK : null);
  return render(template, variables, { accessToken: masked(has.accessToken), secret: masked(has.secret) });
}

function renderPlaceholder(
  { reference, quoted }: Placeholder,
  variables: TemplateVariables,
  secrets: TemplateSecrets,
): string {
  const value = valueOf(reference, variables, secrets) ?? null;
  if (!quoted) return toJson(value);
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return toJson(typeof value === 'string' ? value : toJson(value)).slice(1, -1);
}

function valueOf(reference: Reference, variables: TemplateVariables, secrets: TemplateSecrets): unknown {
  switch (reference.kind) {
    case 'variable':
      return variables[reference.name];
    case 'metadata': {
      const metadata = variables.artifact_metadata ?? {};
      return Object.hasOwn(metadata, reference.key) ? metadata[reference.key] : undefined;
    }
    case 'access-token':
      return secrets.accessToken;
    case 'secret':
      return secrets.secret;
  }
}

/** JSON, whose writer leaves lone surrogates as escapes: receivers refuse those, so they become U+FFFD. */
const toJson = (value: unknown): string =>
  writeExact(value).replace(/\\(?:ud[89a-f][\da-f]{2}|[^])/g, (escape) =>
    escape.startsWith('\\ud') && escape.length === 6 ? '\ufffd' : escape,
  );
