import type { PromptEnding, TemplateVariables } from '@heddle/engine';
import type { RequestFields } from './request-fields.js';

/** What a chat's prompt hangs on beside messages and tools. */
export interface PromptContext {
  templateVariables: TemplateVariables | null;
  ending: PromptEnding;
}

/** vLLM's fields, which it hands to the template too. */
const VARIABLES = ['documents', 'reasoning_effort'];

/** @throws ParameterError */
export function readPromptContext(fields: RequestFields): PromptContext {
  const given = VARIABLES.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : []));
  const named = fields.object('chat_template_kwargs')?.all;
  const templateVariables = named || given.length > 0 ? { ...Object.fromEntries(given), ...named } : null;
  return { templateVariables, ending: readEnding(fields) };
}

function readEnding(fields: RequestFields): PromptEnding {
  const generation = fields.boolean('add_generation_prompt');
  if (!fields.boolean('continue_final_message')) return generation === false ? 'messages' : 'answer';
  if (generation) throw fields.refusal('continue_final_message', "can't be together with add_generation_prompt");
  return 'last_message';
}
