import type { OutputFormat, Tool } from '@heddle/engine';
import type { RequestFields } from './request-fields.js';

export interface ToolUse {
  /** What the prompt offers; null where nothing is, or nothing may be called. */
  tools: Tool[] | null;
  /** Where a call is demanded. */
  format: Extract<OutputFormat, { type: 'tool_call' }> | null;
  readsToolCalls: boolean;
}

const NO_TOOLS: ToolUse = { tools: null, format: null, readsToolCalls: false };
const CHOICES = ['none', 'auto', 'required'] as const;

/** `tools` and `tool_choice`. Tools that must not be called are not shown to the model. */
export function readToolUse(fields: RequestFields): ToolUse {
  const tools = readTools(fields);
  const choice = readChoice(fields);
  if (tools.length === 0) {
    if (choice === 'none' || choice === 'auto') return NO_TOOLS;
    throw fields.refusal('tool_choice', 'demands a call, but there are no tools');
  }
  if (choice === 'none') return NO_TOOLS;
  const offered = { tools, readsToolCalls: true };
  if (choice === 'auto') return { ...offered, format: null };
  if (choice === 'required') return { ...offered, format: { type: 'tool_call' } };
  const { name } = choice;
  if (tools.some((tool) => tool.function.name === name)) return { ...offered, format: { type: 'tool_call', name } };
  throw fields.refusal('tool_choice', `names '${name}', which is none of the tools`);
}

function readTools(fields: RequestFields): Tool[] {
  const tools = fields.objects('tools') ?? [];
  return tools.map((tool) => {
    tool.required('type', tool.oneOf('type', ['function']));
    const described = tool.required('function', tool.object('function'));
    if (described.required('name', described.string('name')) === '')
      throw described.refusal('name', 'must not be empty');
    described.object('parameters');
    return tool.all as unknown as Tool;
  });
}

function readChoice(fields: RequestFields): (typeof CHOICES)[number] | { name: string } {
  if (typeof fields.get('tool_choice') !== 'object') return fields.oneOf('tool_choice', CHOICES) ?? 'auto';
  const choice = fields.required('tool_choice', fields.object('tool_choice'));
  choice.required('type', choice.oneOf('type', ['function']));
  const named = choice.required('function', choice.object('function'));
  return { name: named.required('name', named.string('name')) };
}
