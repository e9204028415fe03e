import { EngineError } from '../protocol/engine.errors.js';
import type { TemplateContext } from '../protocol/chat.js';
import type { SftExample } from '../protocol/train.js';
import type { ChatTemplate } from './chat-template.js';
import type { Tokenizer } from './tokenizer.js';

export interface AssistantSpans {
  /** The whole conversation. */
  tokens: Int32Array;
  /** Positions of the assistant's tokens, ascending: what it would have to sample, its end-of-turn token included. */
  targets: Int32Array;
}

export interface AssistantSpansOptions {
  turns: 'all' | 'last';
  /** Tokens that end a completion. */
  endTokenIds: readonly number[];
}

interface Span {
  start: number;
  end: number;
}

/**
 * A conversation's tokens, and which of them are the assistant's. Where the template marks them (`{% generation %}`) it
 * is believed. Otherwise a turn begins where the rendering of the messages before it, with the generation prompt, ends,
 * and ends where the rendering of the messages up to it ends; a template whose renderings don't continue each other is
 * refused. What follows a turn's end-of-turn token (a line break, mostly) is nobody's.
 *
 * The tokens are those of the whole text, which is what later turns see at inference. Tokens can join characters across
 * the border between a header and the words after it (two line breaks, say); inference never sees such a token after
 * its prompt, and it holds part of the header, so it is no target.
 */
export function assistantSpans(
  tokenizer: Tokenizer,
  template: ChatTemplate,
  example: SftExample,
  options: AssistantSpansOptions,
): AssistantSpans {
  const text = template.render(example.messages, contextOf(example));
  const tokens = tokenizer.encode(text, { special: true });
  const spans = markedSpans(template, example, options) ?? prefixSpans(template, example, options, text);
  const places = bytePlaces(tokenizer, tokens);
  const placeOf = (character: number) =>
    bytePlaces(tokenizer, tokenizer.encode(text.slice(0, character), { special: true })).at(-1)!;
  const endTokens = new Set(options.endTokenIds);
  const targets: number[] = [];
  for (const span of spans) {
    const [start, end] = [placeOf(span.start), placeOf(span.end)];
    let first = places.findIndex((place) => place >= start);
    let last = first;
    while (last < tokens.length && places[last + 1]! <= end) last++;
    if (last < tokens.length && endTokens.has(tokens[last]!)) last++;
    const ending = tokens.subarray(first, last).findLastIndex((token) => endTokens.has(token));
    if (ending >= 0) last = first + ending + 1;
    // Nothing comes before the first token of a text to predict it from.
    for (first = Math.max(first, 1); first < last; first++) targets.push(first);
  }
  return { tokens, targets: Int32Array.from(targets) };
}

/**
 * Where each token begins, in bytes, and after them where the last one ends: comparable between texts that begin alike.
 */
function bytePlaces(tokenizer: Tokenizer, tokens: Int32Array): number[] {
  let place = 0;
  return [0, ...Array.from(tokens, (token) => (place += tokenizer.tokenBytes(token).length))];
}

const contextOf = ({ tools, templateVariables }: SftExample): TemplateContext => ({ tools, templateVariables });

/** The assistant's messages that are learnt. */
function trainedTurns({ messages, untrained }: SftExample, { turns }: AssistantSpansOptions): number[] {
  const all = messages.flatMap((message, i) => (message.role === 'assistant' ? [i] : []));
  return (turns === 'last' ? all.slice(-1) : all).filter((turn) => !untrained?.includes(turn));
}

function markedSpans(template: ChatTemplate, example: SftExample, options: AssistantSpansOptions): Span[] | null {
  const { messages } = example;
  const context = contextOf(example);
  const whole = template.renderMarked(messages, context);
  if (!whole || (options.turns === 'all' && !example.untrained?.length)) return whole?.spans ?? null;
  const spansIn = (count: number): number => {
    if (count === 0) return 0;
    if (count === messages.length) return whole.spans.length;
    return template.renderMarked(messages.slice(0, count), context)!.spans.length;
  };
  return trainedTurns(example, options).flatMap((turn) => whole.spans.slice(spansIn(turn), spansIn(turn + 1)));
}

function prefixSpans(
  template: ChatTemplate,
  example: SftExample,
  options: AssistantSpansOptions,
  text: string,
): Span[] {
  const { messages } = example;
  const lengthOf = (count: number, addGenerationPrompt: boolean, turn: number) => {
    const prefix = template.render(messages.slice(0, count), { ...contextOf(example), addGenerationPrompt });
    if (text.startsWith(prefix)) return prefix.length;
    const place = `messages[${turn}]`;
    const advice = options.turns === 'all' ? '; assistant_turns "last" may be possible' : '';
    throw new EngineError(
      'invalid_request',
      `The tokens of ${place} can't be told from the others: the model's chat template rewrites earlier messages${advice}`,
      place,
    );
  };
  return trainedTurns(example, options).map((turn) => ({
    start: lengthOf(turn, true, turn),
    end: turn === messages.length - 1 ? text.length : lengthOf(turn + 1, false, turn),
  }));
}
