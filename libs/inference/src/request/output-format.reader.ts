import type { OutputFormat } from '@heddle/engine';
import { ParameterError } from '@heddle/http';
import type { RequestFields } from './request-fields.js';

/** An output format, and the field that asks for it. */
export interface AskedFormat {
  format: OutputFormat;
  field: string;
}

const MAX_CHOICES = 1000;
/** What a formatted text can't hold. */
const UNWRITABLE = /[\x01-\x08]/;

/**
 * What the answer must look like: OpenAI's `response_format`, vLLM's `structured_outputs` and its older `guided_...` fields. One
 * of them may be there.
 * @throws ParameterError
 */
export function readFormat(fields: RequestFields): AskedFormat | undefined {
  const older = readConstraints(fields, 'guided_');
  const nested = fields.object('structured_outputs');
  const newer = nested ? readConstraints(nested, '') : [];
  const asked = [...readResponseFormat(fields), ...older, ...newer];
  if (asked.length <= 1) return asked[0];
  const names = asked.map(({ field }) => field).join(' and ');
  throw new ParameterError(asked[1]!.field, `${names} can't both say what the answer looks like`);
}

function readResponseFormat(fields: RequestFields): AskedFormat[] {
  const field = 'response_format';
  const format = fields.object(field);
  if (!format) return [];
  const type = format.required('type', format.oneOf('type', ['text', 'json_object', 'json_schema']));
  if (type === 'text') return [];
  if (type === 'json_object') return [{ format: { type }, field }];
  const described = format.required('json_schema', format.object('json_schema'));
  // As OpenAI has it, a schema may be left out: then any object will do.
  const schema = described.object('schema');
  return [{ format: schema ? { type, schema: { ...schema.all } } : { type: 'json_object' }, field }];
}

/** @param prefix of the names */
function readConstraints(fields: RequestFields, prefix: string): AskedFormat[] {
  const name = (kind: string): string => `${prefix}${kind}`;
  for (const kind of ['structural_tag', 'whitespace_pattern']) {
    if (fields.has(name(kind))) throw fields.refusal(name(kind), 'is not supported');
  }
  const asked: AskedFormat[] = [];
  const add = (kind: string, format: OutputFormat | undefined | false): void => {
    if (format) asked.push({ format, field: fields.at(name(kind)) });
  };
  add('json', readSchema(fields, name('json')));
  add('json_object', fields.boolean(name('json_object')) && { type: 'json_object' });
  add('choice', readChoice(fields, name('choice')));
  const pattern = fields.string(name('regex'));
  add('regex', pattern !== undefined && { type: 'regex', pattern });
  const grammar = fields.string(name('grammar'));
  add('grammar', grammar !== undefined && { type: 'grammar', grammar });
  return asked;
}

/** A schema, or its JSON. */
function readSchema(fields: RequestFields, name: string): OutputFormat | undefined {
  let schema = fields.get(name);
  if (schema === undefined) return undefined;
  try {
    if (typeof schema === 'string') schema = JSON.parse(schema) as unknown;
  } catch {
    throw fields.refusal(name, 'must be a JSON schema, or its text');
  }
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) {
    return { type: 'json_schema', schema: schema as Record<string, unknown> };
  }
  throw fields.refusal(name, 'must be a JSON schema, or its text');
}

function readChoice(fields: RequestFields, name: string): OutputFormat | undefined {
  const choices = fields.array(name);
  if (!choices) return undefined;
  const fit = choices.length > 0 && choices.length <= MAX_CHOICES;
  if (fit && choices.every((choice) => typeof choice === 'string' && choice !== '' && !UNWRITABLE.test(choice))) {
    return { type: 'choice', choices: choices as string[] };
  }
  throw fields.refusal(name, `must be a list of 1 to ${MAX_CHOICES} texts, none of them empty`);
}
