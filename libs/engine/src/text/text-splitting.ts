import * as library from '@huggingface/tokenizers';
import { badTokenizer, isJsonObject, refuseOptions, type JsonObject } from './tokenizer-file.js';

export type Normalize = (text: string) => string;
export type Split = (text: string) => string[];

/** How a text without added tokens becomes words, none of which shares a token with another. */
export interface PreTokenizer {
  /** Applied to a whole piece first; `atStart` where the piece is the beginning of the text. */
  prepare(text: string, atStart: boolean): string;
  /** Applied one after the other. */
  splits: Split[];
  /** Whether words are sequences of bytes, as GPT-2 has them, or of characters, as SentencePiece has them. */
  byteLevel: boolean;
}

// The package's declarations don't resolve under nodenext, so what is used of it is declared here.
const { SplitPreTokenizer } = library as unknown as {
  SplitPreTokenizer: new (config: JsonObject) => { pre_tokenize_text(text: string): string[] };
};

/** Words of GPT-2's ByteLevel pre-tokenizer. */
const GPT2_WORDS = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

export function normalizerOf(config: unknown, place = 'normalizer'): Normalize {
  if (config === undefined || config === null) return (text) => text;
  if (!isJsonObject(config)) throw badTokenizer(`${place} is not an object`);
  switch (config.type) {
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = config.type;
      return (text) => text.normalize(form);
    }
    case 'Prepend': {
      const prefix = stringOf(config.prepend, `${place}.prepend`);
      return (text) => (text === '' ? text : prefix + text);
    }
    case 'Replace': {
      const { pattern } = config;
      if (!isJsonObject(pattern) || typeof pattern.String !== 'string') {
        throw badTokenizer(`${place}.pattern is not a String: others are not supported`);
      }
      const wanted = pattern.String;
      const content = stringOf(config.content, `${place}.content`);
      return (text) => text.replaceAll(wanted, () => content);
    }
    case 'Sequence': {
      const steps = listOf(config.normalizers, `${place}.normalizers`).map((step, i) =>
        normalizerOf(step, `${place}.normalizers[${i}]`),
      );
      return (text) => steps.reduce((done, step) => step(done), text);
    }
    default:
      throw unsupported(config, place);
  }
}

export function preTokenizerOf(config: unknown): PreTokenizer {
  const steps = flatten(config, 'pre_tokenizer');
  const last = steps.at(-1);
  const byteLevel = last?.step.type === 'ByteLevel';
  const metaspace = last?.step.type === 'Metaspace' ? last.step : undefined;
  if ((byteLevel && last.step.add_prefix_space === true) || metaspace) {
    if (steps.length > 1)
      throw badTokenizer(`${last!.place} (${String(last!.step.type)}) with steps before it is not supported`);
  }
  const splits = steps.flatMap(({ step, place }) => splitsOf(step, place, step === last?.step));
  return {
    splits,
    byteLevel,
    prepare: metaspace ? metaspacePrefix(metaspace) : bytePrefix(byteLevel ? last.step : {}),
  };
}

function splitsOf(step: JsonObject, place: string, isLast: boolean): Split[] {
  switch (step.type) {
    case 'ByteLevel':
      if (!isLast) throw badTokenizer(`${place} (ByteLevel) is only supported as the last step`);
      return step.use_regex === false ? [] : [regexSplit({ Regex: GPT2_WORDS }, 'Isolated', false)];
    case 'Digits':
      // Any numeric character, as in the original; the package takes ASCII digits only.
      return [regexSplit({ Regex: step.individual_digits === true ? '\\p{N}' : '\\p{N}+' }, 'Isolated', false)];
    case 'Split': {
      const supported = step.behavior === 'Removed' || (step.behavior === 'Isolated' && step.invert !== true);
      if (!supported || !isJsonObject(step.pattern)) {
        throw badTokenizer(
          `${place} (Split) with behavior ${String(step.behavior)}, invert ${String(step.invert)} is not supported`,
        );
      }
      return [regexSplit(step.pattern, step.behavior as string, step.invert === true)];
    }
    case 'Metaspace': {
      const mark = markOf(step, place);
      if (step.split === false) return [];
      return [(text) => splitBefore(text, mark, false)];
    }
    default:
      throw unsupported(step, place);
  }
}

/** The package translates the regular expressions of the original (Oniguruma) to JavaScript. */
function regexSplit(pattern: JsonObject, behavior: string, invert: boolean): Split {
  const regex = typeof pattern.Regex === 'string' ? { Regex: foldLongS(pattern.Regex) } : undefined;
  if (!regex && typeof pattern.String !== 'string')
    throw badTokenizer('pre_tokenizer: a pattern is neither Regex nor String');
  try {
    const config = { type: 'Split', pattern: regex ?? { String: pattern.String as string }, behavior, invert };
    const split = new SplitPreTokenizer(config);
    return (text) => split.pre_tokenize_text(text);
  } catch (error) {
    throw badTokenizer(`pre_tokenizer: a pattern can't be translated: ${error instanceof Error ? error.message : ''}`);
  }
}

/** In a group that ignores case the original lets `s` match the long s (U+017F) too; the package knows ASCII only. */
function foldLongS(regex: string): string {
  return regex.replace(/\(\?i:[^()[\]\\]*\)/g, (group) => group.replace(/(?<!\(\?)[sS]/g, '[sſ]'));
}

/** Cuts before each mark, or where `runs`, before each run of marks. */
export function splitBefore(text: string, mark: string, runs: boolean): string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = text.indexOf(mark, 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    if (runs && text[at - 1] === mark) continue;
    words.push(text.slice(start, at));
    start = at;
  }
  if (start < text.length) words.push(text.slice(start));
  return words;
}

function bytePrefix(step: JsonObject): PreTokenizer['prepare'] {
  return step.add_prefix_space === true ? (text) => (text.startsWith(' ') ? text : ` ${text}`) : (text) => text;
}

function metaspacePrefix(step: JsonObject): PreTokenizer['prepare'] {
  const mark = markOf(step, 'pre_tokenizer');
  const scheme = step.prepend_scheme ?? (step.add_prefix_space === false ? 'never' : 'always');
  return (text, atStart) => {
    const marked = text.replaceAll(' ', mark);
    const prefixed = scheme === 'always' || (scheme === 'first' && atStart);
    return prefixed && !marked.startsWith(mark) ? mark + marked : marked;
  };
}

function markOf(step: JsonObject, place: string): string {
  refuseOptions(step, place, step.str_rep === step.replacement ? [] : ['str_rep']);
  const mark = stringOf(step.replacement, `${place}.replacement`);
  if (mark.length !== 1) throw badTokenizer(`${place}.replacement is not one character`);
  return mark;
}

function flatten(config: unknown, place: string): { step: JsonObject; place: string }[] {
  if (config === undefined || config === null) return [];
  if (!isJsonObject(config)) throw badTokenizer(`${place} is not an object`);
  if (config.type !== 'Sequence') return [{ step: config, place }];
  return listOf(config.pretokenizers, `${place}.pretokenizers`).flatMap((step, i) =>
    flatten(step, `${place}.pretokenizers[${i}]`),
  );
}

function listOf(value: unknown, place: string): unknown[] {
  if (!Array.isArray(value)) throw badTokenizer(`${place} is not a list`);
  return value;
}

function stringOf(value: unknown, place: string): string {
  if (typeof value !== 'string') throw badTokenizer(`${place} is not a string`);
  return value;
}

function unsupported(config: JsonObject, place: string) {
  return badTokenizer(`${place} of type ${JSON.stringify(config.type)} is not supported`);
}
