import type { AddedToken } from './added-tokens.js';
import { badTokenizer, isJsonObject, type JsonObject } from './tokenizer-file.js';

/** Keys of tokenizer_config.json that each name one special token. */
const SPECIAL_TOKENS = ['bos_token', 'eos_token', 'unk_token', 'sep_token', 'pad_token', 'cls_token', 'mask_token'];

export function vocabularyOf(model: JsonObject): Map<string, number> {
  if (!isJsonObject(model.vocab)) throw badTokenizer('model.vocab is not an object');
  const vocabulary = new Map<string, number>();
  for (const [token, id] of Object.entries(model.vocab))
    vocabulary.set(token, idOf(id, `model.vocab[${JSON.stringify(token)}]`));
  return vocabulary;
}

/** Both ways to write merges: `["a", "b"]` and, from before, `"a b"`. */
export function mergesOf(model: JsonObject): (readonly [string, string])[] {
  if (!Array.isArray(model.merges)) throw badTokenizer('model.merges is not a list');
  return model.merges.map((merge: unknown, i) => {
    const [left, right, ...more] =
      typeof merge === 'string' ? merge.split(' ') : Array.isArray(merge) ? (merge as unknown[]) : [];
    if (typeof left !== 'string' || typeof right !== 'string' || more.length > 0) {
      throw badTokenizer(`model.merges[${i}] is not a pair of tokens`);
    }
    return [left, right] as const;
  });
}

/** A special token's text, whether tokenizer_config.json writes it as a string or as an object. */
export function textOfToken(value: unknown): string | undefined {
  const text = isJsonObject(value) ? value.content : value;
  return typeof text === 'string' ? text : undefined;
}

export function specialTokensOf(config: JsonObject): Record<string, string> {
  const named = SPECIAL_TOKENS.map((name) => [name, textOfToken(config[name])] as const);
  return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * The added tokens of tokenizer.json, those that only tokenizer_config.json knows (`added_tokens_decoder`), and, as
 * transformers has it, the tokens of the vocabulary that the config names as special.
 */
export function addedTokensOf(
  tokenizer: JsonObject,
  config: JsonObject,
  vocabulary: ReadonlyMap<string, number>,
): AddedToken[] {
  const listed = tokenizer.added_tokens ?? [];
  if (!Array.isArray(listed)) throw badTokenizer('added_tokens is not a list');
  const tokens = new Map<string, AddedToken>();
  const add = (entry: unknown, id: unknown, place: string) => {
    if (!isJsonObject(entry) || typeof entry.content !== 'string') throw badTokenizer(`${place} has no content`);
    if (tokens.has(entry.content)) return;
    const special = entry.special === true;
    tokens.set(entry.content, {
      id: idOf(id, `${place}.id`),
      content: entry.content,
      special,
      normalized: typeof entry.normalized === 'boolean' ? entry.normalized : !special,
      singleWord: entry.single_word === true,
      lstrip: entry.lstrip === true,
      rstrip: entry.rstrip === true,
    });
  };
  listed.forEach((entry: unknown, i) => add(entry, isJsonObject(entry) ? entry.id : undefined, `added_tokens[${i}]`));
  const more = isJsonObject(config.added_tokens_decoder) ? config.added_tokens_decoder : {};
  for (const [id, entry] of Object.entries(more)) add(entry, Number(id), `added_tokens_decoder[${id}]`);
  for (const content of Object.values(specialTokensOf(config))) {
    const known = tokens.get(content);
    if (known) known.special = true;
    else if (vocabulary.has(content)) add({ content, special: true }, vocabulary.get(content), content);
  }
  return [...tokens.values()];
}

function idOf(value: unknown, place: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value >= 2 ** 24) {
    throw badTokenizer(`${place} is not a token id`);
  }
  return value;
}
