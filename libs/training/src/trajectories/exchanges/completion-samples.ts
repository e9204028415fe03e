import type { Choice } from '@heddle/engine';
import { type CompletionChoice, type CompletionExchange, inOrder, type Placed, placedChoices } from './exchange.js';
import { compactLogprobs, idList, idsOf, logprobsOf } from './recorded-history.js';
import type { RecordedSample } from './token-histories.js';

/** Texts that one model completed. */
export function completionSamples(exchanges: readonly Placed<CompletionExchange>[]): RecordedSample[] {
  return inOrder([...exchanges]).flatMap(({ exchange, place }) =>
    placedChoices(exchange, place).map(([choice, where]) => ({ choice: asChoice(choice, exchange), place: where })),
  );
}

/** What the engine trains on is a chat's choice: this one has token ids or else is refused. */
function asChoice(choice: CompletionChoice, { request, response }: CompletionExchange): Choice {
  const prompt = idList(choice.prompt_token_ids) ?? idList(response.prompt_token_ids) ?? idList(request.prompt) ?? [];
  const output = idList(choice.token_ids) ?? (request.echo ? null : idsOf(choice.logprobs?.tokens ?? []));
  const known = compactLogprobs(choice) ?? choice.logprobs?.token_logprobs;
  // With `echo` the prompt's log probabilities come first.
  const logprobs = known && output && request.echo ? known.slice(-output.length || known.length) : known;
  return {
    index: choice.index,
    message: { role: 'assistant', content: choice.text ?? '' },
    prompt_token_ids: prompt,
    token_ids: output,
    logprobs: logprobsOf(logprobs),
  };
}
