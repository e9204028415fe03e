import { EngineError } from '../protocol/engine.errors.js';
import type { ChatMessage, Choice, TemplateContext, TokenLogprob } from '../protocol/chat.js';

/** What turns messages into token ids, and which ids there are. */
export interface TokenSource {
  vocabularySize: number;
  /**
   * Renders messages with the model's chat template, up to where the assistant's next message begins.
   * @throws EngineError for messages that the template refuses.
   */
  encodePrompt(messages: ChatMessage[], context: TemplateContext): number[];
  /**
   * Renders a conversation that ends in an assistant's message: its tokens, and those before it.
   * @throws EngineError likewise.
   */
  encodeTurn(messages: ChatMessage[], context: TemplateContext): Omit<ChoiceTokens, 'logprobs'>;
  /** `allow_training_without_logprobs`. */
  allowWithoutLogprobs: boolean;
}

/** A sampled message as tokens. */
export interface ChoiceTokens {
  prompt: readonly number[];
  completion: readonly number[];
  /** Of the completion's tokens under the policy that sampled them; NaN: not known. */
  logprobs: readonly number[];
}

/** Why a choice isn't trained on: what there is instead of tokens. */
export type Refusal =
  | 'no token ids (ask for return_token_ids, or tokens as token_id:N)'
  | 'log probabilities and tokens differ in number'
  | 'no tokens'
  | 'an empty prompt'
  | 'the chat template refuses what comes before';

const TOKEN_ID = /^token_id:(\d{1,9})$/;

export function isChoice(item: ChatMessage | Choice): item is Choice {
  return 'index' in item && 'message' in item;
}

/** The log probabilities that come with a choice; null where it carries none, so that it is only context. */
export function choiceLogprobs(choice: Choice): readonly TokenLogprob[] | null {
  const { content, refusal } = choice.logprobs ?? {};
  if (content?.length || !refusal?.length) return content ?? null;
  return refusal;
}

/**
 * Tokens of a trainable choice: `prompt_token_ids` and `token_ids`; else `token_id:N` strings, with the prompt from the
 * chat template. Text that was sampled is never tokenised again, since that may give other tokens.
 * @param before what precedes the choice.
 * @param place name of the choice on the wire.
 * @throws EngineError `invalid_request` naming the place where an id isn't in the vocabulary.
 */
export function choiceTokens(
  choice: Choice,
  before: readonly (ChatMessage | Choice)[],
  context: TemplateContext,
  source: TokenSource,
  place: string,
): ChoiceTokens | Refusal {
  const given = choiceLogprobs(choice);
  const exact = Array.isArray(choice.prompt_token_ids) && Array.isArray(choice.token_ids);
  const completion = exact ? choice.token_ids! : given && tokenIds(given);
  if (!completion) return 'no token ids (ask for return_token_ids, or tokens as token_id:N)';
  if (completion.length === 0) return 'no tokens';
  if (given && given.length !== completion.length) return 'log probabilities and tokens differ in number';
  const prompt = exact ? choice.prompt_token_ids! : encodePrompt(before, context, source);
  if (!prompt) return 'the chat template refuses what comes before';
  if (prompt.length === 0) return 'an empty prompt';
  checkVocabulary(prompt, source.vocabularySize, place);
  checkVocabulary(completion, source.vocabularySize, place);
  const logprobs = completion.map((_, t) => {
    const logprob = given?.[t]?.logprob;
    return typeof logprob === 'number' && Number.isFinite(logprob) ? logprob : NaN;
  });
  return { prompt, completion, logprobs };
}

function tokenIds(content: readonly TokenLogprob[]): number[] | null {
  const ids = content.map(({ token }) => TOKEN_ID.exec(token)?.[1]);
  return ids.includes(undefined) ? null : ids.map(Number);
}

function encodePrompt(
  before: readonly (ChatMessage | Choice)[],
  context: TemplateContext,
  source: TokenSource,
): number[] | null {
  try {
    const messages = before.map((item) => (isChoice(item) ? item.message : item));
    return source.encodePrompt(messages, context);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function checkVocabulary(ids: readonly number[], size: number, place: string): void {
  const wrong = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= size);
  if (wrong < 0) return;
  const id = JSON.stringify(ids[wrong]);
  throw new EngineError(
    'invalid_request',
    `${place}: token id ${id} is not in the vocabulary of ${size} tokens.`,
    place,
  );
}
