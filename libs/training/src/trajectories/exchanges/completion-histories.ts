import type { Choice } from '@heddle/engine';
import {
  type CompletionChoice,
  type CompletionExchange,
  inOrder,
  isPrefix,
  type Placed,
  placedChoices,
} from './exchange.js';
import { idList, idsOf, type RecordedHistory } from './recorded-history.js';

/**
 * Texts that one model completed, which are told by their tokens alone: a prompt that begins with all of an earlier text,
 * what was sampled included, continues it.
 */
export function completionHistories(exchanges: readonly Placed<CompletionExchange>[]): RecordedHistory[] {
  const texts: { tokens: number[]; history: RecordedHistory }[] = [];
  for (const { exchange, place } of inOrder([...exchanges])) {
    for (const [sent, where] of placedChoices(exchange, place)) {
      const choice = asChoice(sent, exchange);
      const [prompt, output] = [choice.prompt_token_ids ?? [], choice.token_ids ?? []];
      const begun = texts.find(({ tokens }) => tokens.length > 0 && isPrefix(tokens, prompt));
      const text = begun ?? { tokens: [], history: { messages_and_choices: [], places: [], tools: null } };
      if (!begun) texts.push(text);
      text.tokens = [...prompt, ...output];
      text.history.messages_and_choices.push(choice);
      text.history.places.push(where);
    }
  }
  return texts.map(({ history }) => history);
}

/** What the engine trains on is a chat's choice: this one has token ids or else is refused. */
function asChoice(choice: CompletionChoice, { request, response }: CompletionExchange): Choice {
  const prompt = idList(choice.prompt_token_ids) ?? idList(response.prompt_token_ids) ?? idList(request.prompt) ?? [];
  const output = idList(choice.token_ids) ?? (request.echo ? null : idsOf(choice.logprobs?.tokens ?? []));
  const known = choice.logprobs?.token_logprobs;
  // With `echo` the prompt's log probabilities come first.
  const logprobs = known && output && request.echo ? known.slice(-output.length || known.length) : known;
  return {
    index: choice.index,
    message: { role: 'assistant', content: choice.text ?? '' },
    prompt_token_ids: prompt,
    token_ids: output,
    logprobs: logprobs ? { content: logprobs.map((logprob) => ({ token: '', logprob })) } : null,
  };
}
