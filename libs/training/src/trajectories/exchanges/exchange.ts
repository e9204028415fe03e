import type { ChatMessage, Choice, Tool } from '@heddle/engine';

/** A request and its response, as ART records what goes over the wire. Where it was written, fields may be null. */
interface Exchange<Request, Response> {
  start_time?: string | null;
  end_time?: string | null;
  request: Request & { model?: unknown };
  response: Response & { model?: unknown };
}

export type ChatExchange = Exchange<
  {
    messages?: ChatMessage[] | null;
    tools?: Tool[] | null;
    functions?: Tool['function'][] | null;
    /** `none` shows the model no tools. */
    tool_choice?: unknown;
    function_call?: unknown;
    chat_template?: string | null;
    chat_template_kwargs?: Record<string, unknown> | null;
  },
  { choices?: Choice[] | null; prompt_token_ids?: number[] | null }
>;

/** The tools that a chat's prompt described, by the rule of the chat itself; `functions` is their older name. */
export function toolsShown({ tools, functions, tool_choice, function_call }: ChatExchange['request']): Tool[] | null {
  const older = tools ? null : functions;
  if ((older ? function_call : tool_choice) === 'none') return null;
  return older ? older.map((described) => ({ type: 'function', function: described })) : (tools ?? null);
}

export interface CompletionChoice {
  index: number;
  text?: string | null;
  logprobs?: { tokens?: string[] | null; token_logprobs?: (number | null)[] | null } | null;
  token_ids?: number[] | null;
  prompt_token_ids?: number[] | null;
}

export type CompletionExchange = Exchange<
  { prompt?: unknown; echo?: boolean | null },
  { choices?: CompletionChoice[] | null; prompt_token_ids?: number[] | null }
>;

export type ResponseExchange = Exchange<object, { output?: unknown; token_generations?: unknown }>;

export type MessageExchange = Exchange<
  object,
  { content?: unknown; prompt_token_ids?: unknown; token_ids?: unknown; logprobs?: unknown }
>;

/** By protocol; absent and null are none. */
export interface RecordedExchanges {
  chat_completions?: ChatExchange[] | null;
  completions?: CompletionExchange[] | null;
  responses?: ResponseExchange[] | null;
  messages?: MessageExchange[] | null;
}

/** One of a list, and the name of its place there, which sorting doesn't change. */
export interface Placed<T> {
  exchange: T;
  /** `exchanges.chat_completions[2]`. */
  place: string;
}

/** The name of the model that answered: the one that was asked for, or else the one that says so. */
export function modelOf({ request, response }: Exchange<object, object>): string | null {
  const name = typeof request.model === 'string' ? request.model : response.model;
  return typeof name === 'string' ? name : null;
}

export function placed<T>(list: readonly T[] | null | undefined, protocol: keyof RecordedExchanges): Placed<T>[] {
  return (list ?? []).map((exchange, index) => ({ exchange, place: `exchanges.${protocol}[${index}]` }));
}

/** In the order in which they were asked, and answered; those that say nothing of it come first. */
export function inOrder<T extends Pick<ChatExchange, 'start_time' | 'end_time'>>(list: Placed<T>[]): Placed<T>[] {
  const time = (item: Placed<T>, field: 'start_time' | 'end_time'): number => microseconds(item.exchange[field]);
  return [...list].sort(
    (a, b) => time(a, 'start_time') - time(b, 'start_time') || time(a, 'end_time') - time(b, 'end_time'),
  );
}

/** Since 1970; Date.parse ends at milliseconds. */
function microseconds(time: unknown): number {
  if (typeof time !== 'string') return 0;
  const fraction = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? '';
  return (Date.parse(time) || 0) * 1000 + Number(fraction.padEnd(3, '0'));
}

/** A response's choices by their index, with the names of their places. */
export function placedChoices<T extends { index: number }>(
  { response }: { response: { choices?: T[] | null } },
  place: string,
): [choice: T, place: string][] {
  const choices = (response.choices ?? []).map((choice, i): [T, string] => [choice, `${place}.response.choices[${i}]`]);
  return choices.sort(([a], [b]) => a.index - b.index);
}

export const isPrefix = <T>(prefix: readonly T[], list: readonly T[]): boolean =>
  prefix.length <= list.length && prefix.every((item, i) => item === list[i]);
