import { EngineError } from '../protocol/engine.errors.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import { literal } from './coded-text.js';
import type { JsonGrammar } from './json-grammar.js';
import { schemaCheck, type Check } from '../schema/schema-check.js';
import { SchemaGrammar } from '../schema/schema-grammar.js';

export type ArgumentsCheck = (value: unknown) => string | null;

/** What stands around a tagged call. */
export const CALL_OPEN = '<tool_call>\n';
export const CALL_CLOSE = '\n</tool_call>';

/** A call up to its arguments. */
export const callStart = (name: string, form: ToolCallForm): string =>
  `{"name": ${JSON.stringify(name)}, "${argumentsKey(form)}": `;

const argumentsKey = (form: ToolCallForm): string => (form === 'bare' ? 'parameters' : 'arguments');

/**
 * One call of one of the tools, written as models of that form write it: `<tool_call>\n{"name": "...", "arguments":
 * {...}}\n</tool_call>` or `{"name": "...", "parameters": {...}}`.
 */
export function toolCallRule(
  json: JsonGrammar,
  name: string | undefined,
  tools: readonly Tool[],
  form: ToolCallForm,
): { rule: string; check: Check | null; isCall(text: string): boolean } {
  const checks = new Map<string, ArgumentsCheck>();
  const calls = callable(name, tools).map(({ function: { name, parameters } }) => {
    const { rule, check } = argumentsRule(json, name, parameters ?? null);
    if (check) checks.set(name, check);
    return `${literal(callStart(name, form))} ${rule}`;
  });
  const [open, close] = form === 'bare' ? ['', ''] : [CALL_OPEN, CALL_CLOSE];
  const rule = `${literal(open)} ${json.rules.either(calls)} ${literal(`}${close}`)}`;
  const read = (text: string): Record<string, unknown> | null => {
    if (!text.startsWith(`${open}{"name": `) || !text.endsWith(`}${close}`)) return null;
    return JSON.parse(text.slice(open.length, text.length - close.length)) as Record<string, unknown>;
  };
  const check: Check = (text) => {
    const call = read(text);
    return (call && checks.get(String(call['name']))?.(call[argumentsKey(form)])) ?? null;
  };
  return { rule, check: checks.size > 0 ? check : null, isCall: (text) => read(text) !== null };
}

function callable(name: string | undefined, tools: readonly Tool[]): Tool[] {
  const found = name === undefined ? [...tools] : tools.filter((tool) => tool.function.name === name);
  if (found.length > 0) return found;
  throw new EngineError(
    'invalid_request',
    name === undefined ? 'A tool call needs tools to choose from.' : `There is no tool named ${JSON.stringify(name)}.`,
    name === undefined ? 'tools' : 'tool_choice',
  );
}

export function argumentsRule(
  json: JsonGrammar,
  name: string,
  parameters: Record<string, unknown> | null,
): { rule: string; check: ArgumentsCheck | null } {
  // A tool that says of no parameters takes none.
  if (parameters === null) return { rule: literal('{}'), check: null };
  try {
    // Arguments are an object also where the schema leaves that open.
    const schema = 'type' in parameters || '$ref' in parameters ? parameters : { type: 'object', ...parameters };
    const { rule, isExact } = new SchemaGrammar(json, schema).compile();
    return { rule, check: isExact ? null : schemaCheck(schema) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Tool ${JSON.stringify(name)}: ${error.message}`, 'tools');
  }
}
