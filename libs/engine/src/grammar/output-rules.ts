import { EngineError } from '../protocol/engine.errors.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import type { OutputFormat } from '../protocol/generate.js';
import { callsInTextRule } from './calls-in-text.js';
import { literal } from './coded-text.js';
import { JsonGrammar } from './json-grammar.js';
import { NoLanguageError } from './language.js';
import { languageRule, plainSpelling } from './language-rules.js';
import { wholeLanguage } from './pattern-language.js';
import { schemaCheck, type Check } from '../schema/schema-check.js';
import { SchemaGrammar } from '../schema/schema-grammar.js';
import type { Schema } from '../schema/schema-keywords.js';
import { toolCallRule } from './tool-call-rules.js';
import { userGrammar } from './user-grammar.js';

/** Name of the first rule. */
export const ROOT = 'root';

/** A grammar of the texts that a format allows, and what else they must be checked for; null: nothing. */
export interface OutputRules {
  rules: string;
  check: Check | null;
}

/** @throws EngineError `invalid_request` that names the field at fault. */
export function outputRules(format: OutputFormat, tools: readonly Tool[], form: ToolCallForm = 'tagged'): OutputRules {
  if (format.type === 'grammar') return { rules: userGrammar(format.grammar), check: null };
  const json = new JsonGrammar();
  const { rule, check } = formatRule(json, format, tools, form);
  json.rules.define(ROOT, rule);
  return { rules: json.rules.toString(), check };
}

export interface FormatRule {
  rule: string;
  check: Check | null;
}

function formatRule(
  json: JsonGrammar,
  format: Exclude<OutputFormat, { type: 'grammar' }>,
  tools: readonly Tool[],
  form: ToolCallForm,
): FormatRule {
  switch (format.type) {
    case 'json_object':
      return { rule: json.object, check: null };
    case 'json_schema':
      return schemaRule(json, format.schema);
    case 'choice':
      return { rule: json.rules.either(format.choices.map((choice) => literal(choice))), check: null };
    case 'regex':
      return { rule: patternRule(json, format.pattern), check: null };
    case 'tool_call':
      return toolCallRule(json, format.name, tools, form);
    case 'tool_calls':
      return callsInTextRule(json, tools, form);
    case 'tool_call_or': {
      const call = toolCallRule(json, undefined, tools, form);
      const answer = formatRule(json, format.format, [], form);
      const check: Check = (text) => {
        const complaint = answer.check?.(text) ?? null;
        return complaint !== null && call.isCall(text) ? (call.check?.(text) ?? null) : complaint;
      };
      return { rule: json.rules.either([call.rule, answer.rule]), check: call.check || answer.check ? check : null };
    }
  }
}

function schemaRule(json: JsonGrammar, schema: Schema): FormatRule {
  const { rule, isExact } = new SchemaGrammar(json, schema).compile();
  if (isExact) return { rule, check: null };
  const check = schemaCheck(schema);
  return { rule, check: (text) => check(JSON.parse(text)) };
}

function patternRule(json: JsonGrammar, pattern: string): string {
  try {
    return languageRule(wholeLanguage(pattern), json.rules, plainSpelling);
  } catch (error) {
    if (!(error instanceof NoLanguageError)) throw error;
    throw new EngineError('invalid_request', `The pattern is not supported: ${error.message}.`, 'response_format');
  }
}
