import { inOrder, type MessageExchange, type Placed } from './exchange.js';
import { compactLogprobs, idList, logprobsOf } from './recorded-history.js';
import type { RecordedSample } from './token-histories.js';

const UNKNOWN = 'a message of /v1/messages has no prompt_token_ids and token_ids';

/** What one model answered as messages in Anthropic's form, where the server that did so told the tokens. */
export function messageSamples(exchanges: readonly Placed<MessageExchange>[]): RecordedSample[] {
  return inOrder([...exchanges]).map(({ exchange, place }) => ({
    choice: asChoice(exchange.response),
    place: `${place}.response`,
  }));
}

function asChoice(response: MessageExchange['response']): RecordedSample['choice'] {
  const [prompt, output] = [idList(response.prompt_token_ids), idList(response.token_ids)];
  // Some servers send an empty list for ids that they don't know.
  if (!prompt?.length || !output || (output.length === 0 && !isEmpty(response.content))) return UNKNOWN;
  const logprobs = compactLogprobs(response) ?? (Array.isArray(response.logprobs) ? response.logprobs : null);
  return {
    index: 0,
    message: { role: 'assistant', content: '' },
    prompt_token_ids: prompt,
    token_ids: output,
    logprobs: logprobsOf(logprobs),
  };
}

const isEmpty = (content: unknown): boolean => !Array.isArray(content) || content.length === 0;
