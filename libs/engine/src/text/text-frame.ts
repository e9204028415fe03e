import { isJsonObject } from './tokenizer-file.js';

/** Special tokens that stand around every text. */
export interface TextFrame {
  before: number[];
  after: number[];
}

const NO_FRAME: TextFrame = { before: [], after: [] };

/** What `post_processor` of tokenizer.json adds to a single text; only templates add anything to texts of decoders. */
export function textFrameOf(processor: unknown): TextFrame {
  if (!isJsonObject(processor)) return NO_FRAME;
  if (Array.isArray(processor.processors)) {
    const frames = processor.processors.map(textFrameOf);
    return { before: frames.flatMap(({ before }) => before), after: frames.flatMap(({ after }) => after) };
  }
  if (!Array.isArray(processor.single)) return NO_FRAME;
  const at = processor.single.findIndex((piece) => isJsonObject(piece) && 'Sequence' in piece);
  if (at < 0) return NO_FRAME;
  const ids = (pieces: unknown[]): number[] => pieces.flatMap((piece) => idsOf(piece, processor.special_tokens));
  return { before: ids(processor.single.slice(0, at)), after: ids(processor.single.slice(at + 1)) };
}

function idsOf(piece: unknown, known: unknown): number[] {
  if (!isJsonObject(piece) || !isJsonObject(piece.SpecialToken) || !isJsonObject(known)) return [];
  const token = known[String(piece.SpecialToken.id)];
  return isJsonObject(token) && Array.isArray(token.ids) ? token.ids.filter((id) => Number.isInteger(id)) : [];
}
