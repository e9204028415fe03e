import type { OutputFormat, Tool } from '@heddle/engine';
import type { RequestFields } from './request-fields.js';

export interface ToolUse {
  /** What the prompt offers; null where nothing is, or nothing may be called. */
  tools: Tool[] | null;
  /** Where a call is demanded. */
  format: Extract<OutputFormat, { type: 'tool_call' }> | null;
  readsToolCalls: boolean;
  /** They were offered as `functions`: a call is answered in that older form, of which there is one. */
  isLegacy: boolean;
}

const NO_TOOLS: ToolUse = { tools: null, format: null, readsToolCalls: false, isLegacy: false };
const CHOICES = ['none', 'auto', 'required'] as const;

type Choice = (typeof CHOICES)[number] | { name: string };

/** A choice among some of the tools only. */
interface AllowedTools {
  mode: 'auto' | 'required';
  names: string[];
}

/**
 * `tools` and `tool_choice`, or the older `functions` and `function_call`. Tools that must not be called are not shown to the
 * model.
 */
export function readToolUse(fields: RequestFields): ToolUse {
  const isLegacy = !fields.has('tools') && fields.has('functions');
  const [tools, choice] = isLegacy
    ? [readFunctions(fields), readFunctionChoice(fields)]
    : among(readTools(fields), readChoice(fields), fields);
  const choiceField = isLegacy ? 'function_call' : 'tool_choice';
  if (tools.length === 0) {
    if (choice === 'none' || choice === 'auto') return NO_TOOLS;
    throw fields.refusal(choiceField, 'demands a call, but there are no tools');
  }
  if (choice === 'none') return NO_TOOLS;
  const offered = { tools, readsToolCalls: true, isLegacy };
  if (choice === 'auto') return { ...offered, format: null };
  if (choice === 'required') return { ...offered, format: { type: 'tool_call' } };
  const { name } = choice;
  if (tools.some((tool) => tool.function.name === name)) return { ...offered, format: { type: 'tool_call', name } };
  throw fields.refusal(choiceField, `names '${name}', which is none of the tools`);
}

/** The tools that may be called: the model is shown no others. */
function among(tools: Tool[], choice: Choice | AllowedTools, fields: RequestFields): [Tool[], Choice] {
  if (typeof choice === 'string' || 'name' in choice) return [tools, choice];
  for (const name of choice.names) {
    if (!tools.some((tool) => tool.function.name === name))
      throw fields.refusal('tool_choice', `allows '${name}', which is none of the tools`);
  }
  return [tools.filter((tool) => choice.names.includes(tool.function.name)), choice.mode];
}

function readTools(fields: RequestFields): Tool[] {
  const tools = fields.objects('tools') ?? [];
  return tools.map((tool) => {
    tool.required('type', tool.oneOf('type', ['function']));
    checkFunction(tool.required('function', tool.object('function')));
    return tool.all as unknown as Tool;
  });
}

function readFunctions(fields: RequestFields): Tool[] {
  return fields.required('functions', fields.objects('functions')).map((described) => {
    checkFunction(described);
    return { type: 'function', function: described.all } as unknown as Tool;
  });
}

function checkFunction(described: RequestFields): void {
  if (described.required('name', described.string('name')) === '') throw described.refusal('name', 'must not be empty');
  described.object('parameters');
  described.boolean('strict');
}

function readFunctionChoice(fields: RequestFields): 'none' | 'auto' | { name: string } {
  if (typeof fields.get('function_call') !== 'object') return fields.oneOf('function_call', ['none', 'auto']) ?? 'auto';
  const named = fields.required('function_call', fields.object('function_call'));
  return { name: named.required('name', named.string('name')) };
}

function readChoice(fields: RequestFields): Choice | AllowedTools {
  if (typeof fields.get('tool_choice') !== 'object') return fields.oneOf('tool_choice', CHOICES) ?? 'auto';
  const choice = fields.required('tool_choice', fields.object('tool_choice'));
  const type = choice.required('type', choice.oneOf('type', ['function', 'allowed_tools']));
  if (type === 'function') return { name: functionName(choice) };
  const allowed = choice.required('allowed_tools', choice.object('allowed_tools'));
  const mode = allowed.oneOf('mode', ['auto', 'required']) ?? 'auto';
  const named = allowed.required('tools', allowed.objects('tools'));
  for (const tool of named) tool.required('type', tool.oneOf('type', ['function']));
  return { mode, names: named.map(functionName) };
}

function functionName(named: RequestFields): string {
  const described = named.required('function', named.object('function'));
  return described.required('name', described.string('name'));
}
