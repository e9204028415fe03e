import type { ChatMessage, Choice, TemplateContext } from '../protocol/chat.js';
import { EngineError } from '../protocol/engine.errors.js';
import { type ChoiceTokens, isChoice, type Refusal, type TokenSource } from './choice-tokens.js';

/**
 * Tokens of what the assistant said and nobody knows how it was sampled: those of the chat template. Its log probabilities
 * are not known, so that the importance ratio is 1.
 */
export function turnTokens(
  item: ChatMessage | Choice,
  before: readonly (ChatMessage | Choice)[],
  context: TemplateContext,
  source: TokenSource,
): ChoiceTokens | Refusal {
  const messages = [...before, item].map((each) => (isChoice(each) ? each.message : each));
  const turn = encodeTurn(messages, context, source);
  if (!turn) return 'the chat template refuses what comes before';
  if (turn.prompt.length === 0) return 'an empty prompt';
  if (turn.completion.length === 0) return 'no tokens';
  return { ...turn, logprobs: turn.completion.map(() => NaN) };
}

function encodeTurn(
  messages: ChatMessage[],
  context: TemplateContext,
  source: TokenSource,
): Omit<ChoiceTokens, 'logprobs'> | null {
  try {
    return source.encodeTurn(messages, context);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
