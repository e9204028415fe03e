import { EngineError } from '../protocol/engine.errors.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import type { OutputFormat } from '../protocol/generate.js';
import { JsonGrammar } from './json-grammar.js';
import { literal } from './rule-book.js';
import { SchemaGrammar } from './schema-grammar.js';

/** Name of the first rule. */
export const ROOT = 'root';

/**
 * Grammar of the texts that an output format allows. A tool call is one call, written as models of that form write it:
 * `<tool_call>\n{"name": "...", "arguments": {...}}\n</tool_call>` or `{"name": "...", "parameters": {...}}`.
 * @throws EngineError `invalid_request` with `response_format`, or `tools` or `tool_choice` for a tool call.
 */
export function outputRules(format: OutputFormat, tools: readonly Tool[], form: ToolCallForm = 'tagged'): string {
  const json = new JsonGrammar();
  json.rules.define(ROOT, rootRule(json, format, tools, form));
  return json.rules.toString();
}

function rootRule(json: JsonGrammar, format: OutputFormat, tools: readonly Tool[], form: ToolCallForm): string {
  switch (format.type) {
    case 'json_object':
      return json.object;
    case 'json_schema':
      return new SchemaGrammar(json, format.schema).compile();
    case 'tool_call':
      return toolCall(json, callable(format.name, tools), form);
  }
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

function toolCall(json: JsonGrammar, tools: Tool[], form: ToolCallForm): string {
  const key = form === 'bare' ? 'parameters' : 'arguments';
  const calls = tools.map((tool) => {
    const { name, parameters } = tool.function;
    return `${literal(`{"name": ${JSON.stringify(name)}, "${key}": `)} ${argumentsRule(json, name, parameters)}`;
  });
  if (form === 'bare') return `${json.rules.either(calls)} ${literal('}')}`;
  return `${literal('<tool_call>\n')} ${json.rules.either(calls)} ${literal('}\n</tool_call>')}`;
}

function argumentsRule(json: JsonGrammar, name: string, parameters: Record<string, unknown> | undefined): string {
  if (parameters === undefined) return json.object;
  try {
    // Arguments are an object also where the schema leaves that open.
    return new SchemaGrammar(
      json,
      'type' in parameters || '$ref' in parameters ? parameters : { type: 'object', ...parameters },
    ).compile();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Tool ${JSON.stringify(name)}: ${error.message}`, 'tools');
  }
}
