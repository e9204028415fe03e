import { byteOfFallbackToken, bytesOfByteLevelToken } from './byte-alphabet.js';
import { badTokenizer, isJsonObject, refuseOptions, type JsonObject } from './tokenizer-file.js';

const encoder = new TextEncoder();

/** How tokens become text: what `decoder` of tokenizer.json says. */
export interface TokenDecoder {
  /** The bytes that a token stands for, wherever it is. */
  bytesOf(token: string): Uint8Array;
  /** The text of the tokens of a whole text, where it isn't just their bytes. */
  textOf?(tokens: string[]): string;
}

export function decoderOf(config: unknown): TokenDecoder {
  if (!isJsonObject(config)) throw badTokenizer('decoder is missing');
  const steps = config.type === 'Sequence' ? config.decoders : [config];
  if (!Array.isArray(steps) || !steps.every(isJsonObject))
    throw badTokenizer('decoder.decoders is not a list of objects');
  if (steps.length === 1 && steps[0]?.type === 'ByteLevel') return { bytesOf: bytesOfByteLevelToken };
  return characterDecoder(steps);
}

/** UTF-8 to text, U+FFFD for what is none. */
export function textOfBytes(parts: readonly Uint8Array[]): string {
  // Kept: a byte order mark is text like any other.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts));
}

/**
 * SentencePiece's: a mark stands for a space, bytes may have tokens of their own, a leading space may be artificial.
 */
function characterDecoder(steps: JsonObject[]): TokenDecoder {
  let mark: string | undefined;
  let byteFallback = false;
  let strip: 'none' | 'space' | 'marks' = 'none';
  for (const [i, step] of steps.entries()) {
    const place = `decoder.decoders[${i}]`;
    if (
      step.type === 'Replace' &&
      isJsonObject(step.pattern) &&
      typeof step.pattern.String === 'string' &&
      step.content === ' '
    ) {
      mark = step.pattern.String;
    } else if (step.type === 'Metaspace' && typeof step.replacement === 'string') {
      mark = step.replacement;
      if (step.prepend_scheme !== 'never' && step.add_prefix_space !== false) strip = 'marks';
    } else if (step.type === 'ByteFallback') {
      byteFallback = true;
    } else if (step.type === 'Strip' && step.content === ' ' && step.start === 1) {
      refuseOptions(step, place, ['stop']);
      strip = 'space';
    } else if (step.type !== 'Fuse') {
      throw badTokenizer(`${place} of type ${JSON.stringify(step.type)} is not supported as it stands there`);
    }
  }
  const spaced = (token: string) => (mark === undefined ? token : token.replaceAll(mark, ' '));
  const byteOf = (token: string) => (byteFallback ? byteOfFallbackToken(token) : undefined);
  return {
    bytesOf(token) {
      const byte = byteOf(token);
      return byte === undefined ? encoder.encode(spaced(token)) : Uint8Array.of(byte);
    },
    textOf(tokens) {
      const parts: string[] = [];
      let run: number[] = [];
      const endRun = () => {
        if (run.length > 0) parts.push(textOfRun(run));
        run = [];
      };
      tokens.forEach((token, i) => {
        const byte = byteOf(token);
        if (byte !== undefined) return void run.push(byte);
        endRun();
        parts.push(i === 0 && strip === 'marks' && mark !== undefined ? token.replaceAll(mark, '') : spaced(token));
      });
      endRun();
      const text = parts.join('');
      return strip === 'space' && text.startsWith(' ') ? text.slice(1) : text;
    },
  };
}

/** As the original has it: a run of byte tokens is text as a whole, or each of them is U+FFFD. */
function textOfRun(run: number[]): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(Uint8Array.from(run));
  } catch {
    return '\u{FFFD}'.repeat(run.length);
  }
}
