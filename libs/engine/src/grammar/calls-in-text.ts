import type { Tool, ToolCallForm } from '../protocol/chat.js';
import type { Check } from '../schema/schema-check.js';
import { parseToolCalls } from '../text/calls/tool-calls.js';
import { literal } from './coded-text.js';
import type { JsonGrammar } from './json-grammar.js';
import { type ArgumentsCheck, argumentsRule, CALL_CLOSE, CALL_OPEN, callStart } from './tool-call-rules.js';

/**
 * Any text, and calls within it: the grammar library leaves the text alone up to the end of a tag, and what follows that is held
 * to a rule. Of tagged calls the tag is `<tool_call>`; of bare ones it is all up to a strict tool's arguments, since not every
 * brace begins a call.
 */
export function callsInTextRule(
  json: JsonGrammar,
  tools: readonly Tool[],
  form: ToolCallForm,
): { rule: string; check: Check | null } {
  const checks = new Map<string, ArgumentsCheck>();
  const argumentsOf = ({ function: { name, parameters, strict } }: Tool): string => {
    if (!strict) return json.object;
    const { rule, check } = argumentsRule(json, name, parameters ?? null);
    if (check) checks.set(name, check);
    return rule;
  };
  const tags =
    form === 'bare'
      ? tools
          .filter((tool) => tool.function.strict)
          .map((tool) =>
            tag(callStart(tool.function.name, form), json.rules.rule(`${argumentsOf(tool)} ${literal('}')}`)),
          )
      : [tag(CALL_OPEN.trimEnd(), json.rules.rule(taggedCall(json, tools, argumentsOf)))];
  const check: Check = (text) => {
    const complaints = parseToolCalls(text, form).toolCalls.map(({ name, arguments: given }) =>
      checks.get(name)?.(JSON.parse(given)),
    );
    return complaints.find((complaint) => complaint) ?? null;
  };
  return {
    rule: `TagDispatch(${tags.join(', ')}, stop_eos=true, loop_after_dispatch=true)`,
    check: checks.size > 0 ? check : null,
  };
}

const tag = (text: string, rule: string): string => `(${literal(text)}, ${rule})`;

function taggedCall(json: JsonGrammar, tools: readonly Tool[], argumentsOf: (tool: Tool) => string): string {
  const calls = tools.map((tool) => `${literal(callStart(tool.function.name, 'tagged'))} ${argumentsOf(tool)}`);
  return `${literal(CALL_OPEN.slice(CALL_OPEN.trimEnd().length))} ${json.rules.either(calls)} ${literal(`}${CALL_CLOSE}`)}`;
}
