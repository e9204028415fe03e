import type { RequestFields } from './request-fields.js';

/** Fields that would change an answer, and what is to be said of them. */
export type Unsupported = Readonly<Record<string, string>>;

/** Of chats: OpenAI's and vLLM's. What changes no answer (`user`, `priority`, `cache_salt` and so on) is passed over. */
export const UNSUPPORTED_IN_CHATS: Unsupported = {
  use_beam_search: 'is not supported: samples are drawn',
  best_of: 'is not supported: ask for n',
  truncate_prompt_tokens: 'is not supported: send fewer messages',
  add_special_tokens: 'is not supported: the chat template writes them',
  chat_template: "is not supported: a model's own template is used",
  logprob_token_ids: 'is not supported: ask for top_logprobs',
  thinking_token_budget: 'is not supported',
  watermarking: 'is not supported',
  repetition_detection: 'is not supported',
  return_prompt_text: 'is not supported: ask for return_token_ids',
  return_token_offsets: 'is not supported',
  web_search_options: 'is not supported: no tool is run here',
  audio: 'is not supported: answers are text',
};

/** What asks for nothing: a default that clients write out. */
const isIdle = (name: string, value: unknown): boolean =>
  value === undefined || value === false || value === '' || (value === 1 && name === 'best_of');

/** @throws ParameterError for the first that is there */
export function refuseUnsupported(fields: RequestFields, unsupported: Unsupported): void {
  for (const [name, why] of Object.entries(unsupported)) {
    if (!isIdle(name, fields.get(name))) throw fields.refusal(name, why);
  }
}
