import type { Choice } from '@heddle/engine';
import { isPrefix } from './exchange.js';
import type { RecordedHistory } from './recorded-history.js';

/** What was sampled at one time, with its tokens, or why it can't be trained on. */
export interface RecordedSample {
  choice: Choice | string;
  place: string;
}

/**
 * Samples of one model, which are told by their tokens alone, in the order in which they were asked for: one whose prompt
 * begins with all of an earlier history, what was sampled included, continues it; any other one begins another.
 */
export function tokenHistories(samples: Iterable<RecordedSample>): RecordedHistory[] {
  const texts: { tokens: readonly number[]; history: RecordedHistory }[] = [];
  for (const { choice, place } of samples) {
    if (typeof choice === 'string') continue;
    const [prompt, output] = [choice.prompt_token_ids ?? [], choice.token_ids ?? []];
    const begun = texts.find(({ tokens }) => tokens.length > 0 && isPrefix(tokens, prompt));
    const text = begun ?? { tokens: [], history: { messages_and_choices: [], places: [], tools: null } };
    if (!begun) texts.push(text);
    text.tokens = [...prompt, ...output];
    text.history.messages_and_choices.push(choice);
    text.history.places.push(place);
  }
  return texts.map(({ history }) => history);
}

/** Why samples can't be trained on, each as often as there are such. */
export const refusalsOf = (samples: readonly RecordedSample[]): string[] =>
  samples.flatMap(({ choice }) => (typeof choice === 'string' ? [choice] : []));
