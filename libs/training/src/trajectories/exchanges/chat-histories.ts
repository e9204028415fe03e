import type { ChatMessage, Choice, TemplateContext } from '@heddle/engine';
import { type ChatExchange, inOrder, isPrefix, type Placed, placedChoices, toolsShown } from './exchange.js';
import { answerKey, canonical, messageKey } from './message-key.js';
import {
  compactLogprobs,
  continuesTokens,
  logprobsOf,
  type RecordedHistory,
  type SampledTokens,
  sampledTokens,
} from './recorded-history.js';

/** A conversation so far. It ends in an answer. */
interface Branch extends TemplateContext {
  items: (ChatMessage | Choice)[];
  places: string[];
  /** Of each item. */
  keys: string[];
  /** What else the model saw: one key for the tools and the chat template. */
  context: string;
  /** Of the last answer. */
  tokens: SampledTokens;
  /** Where it began, and which choice was gone on with at each answer. */
  order: number[];
}

/**
 * Conversations of one model, as ART rebuilds them from the requests that it recorded: a request that begins with all of
 * an earlier conversation, its answer included, continues it; any other one begins another. Of several choices each is a
 * conversation. What a request says that the assistant said before, without having been answered here, is context.
 */
export function chatHistories(exchanges: readonly Placed<ChatExchange>[]): RecordedHistory[] {
  const branches: Branch[] = [];
  inOrder([...exchanges]).forEach((exchange, sequence) => extend(branches, exchange, sequence));
  return branches
    .sort((a, b) => compare(a.order, b.order))
    .map(({ items, places, tools, templateVariables }) => ({
      messages_and_choices: items,
      places,
      tools,
      ...(templateVariables ? { templateVariables } : {}),
    }));
}

function extend(branches: Branch[], { exchange, place }: Placed<ChatExchange>, sequence: number): void {
  const { request, response } = exchange;
  const choices = placedChoices(exchange, place).map(
    ([choice, where]) => [whole(choice, response.prompt_token_ids), where] as const,
  );
  if (choices.length === 0) return;
  const messages = request.messages ?? [];
  const keys = messages.map(messageKey);
  const tools = toolsShown(request);
  const context = canonical([tools, request.chat_template ?? null, request.chat_template_kwargs ?? null]);
  const { prompt } = sampledTokens(choices[0]![0]);
  const parent = longest(
    branches.filter(
      (branch) => branch.context === context && isPrefix(branch.keys, keys) && continuesTokens(branch.tokens, prompt),
    ),
  );
  if (parent) branches.splice(branches.indexOf(parent), 1);
  const known = parent?.items.length ?? 0;
  const items = [...(parent?.items ?? []), ...messages.slice(known)];
  const places = [
    ...(parent?.places ?? []),
    ...messages.slice(known).map((_, i) => `${place}.request.messages[${known + i}]`),
  ];
  for (const [choice, where] of choices) {
    branches.push({
      items: [...items, choice],
      places: [...places, where],
      keys: [...keys, answerKey(choice.message)],
      context,
      tools,
      templateVariables: request.chat_template_kwargs,
      tokens: sampledTokens(choice),
      order: [...(parent?.order ?? [sequence]), choice.index],
    });
  }
}

/** Servers say what the prompt's tokens were once for all choices, and some say log probabilities in a list of their own. */
function whole(choice: Choice, prompt: number[] | null | undefined): Choice {
  const logprobs = compactLogprobs(choice);
  return {
    ...choice,
    ...(choice.prompt_token_ids || !prompt ? {} : { prompt_token_ids: prompt }),
    ...(logprobs ? { logprobs: logprobsOf(logprobs) } : {}),
  };
}

/** Of those that are as long the one that came first. */
const longest = (branches: readonly Branch[]): Branch | undefined =>
  [...branches].sort((a, b) => b.keys.length - a.keys.length || compare(a.order, b.order))[0];

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((step, i) => step !== b[i]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
