import type { SftExample } from '@heddle/engine';
import { BadPlace } from './bad-place.js';
import { readExample } from './sft-example.reader.js';
import type { TextLine } from './text-lines.js';

/** What is wrong with a line, and where in it. */
export interface LineProblem {
  /** From 1. */
  line: number;
  /** Keys and indices from the line's object on. */
  path: string[];
  msg: string;
}

/**
 * Reads one line of training data: `{"messages": [...], "tools"?: [...]}`, other keys are kept. The last message must be
 * the assistant's. A blank line is nothing: null.
 */
export function readSftLine(line: TextLine): { example: SftExample } | { problem: LineProblem } | null {
  if (line.text.trim() === '') return null;
  try {
    return { example: readExample(parse(line)) };
  } catch (error) {
    const problem = { line: line.number };
    if (error instanceof BadPlace) return { problem: { ...problem, path: error.path, msg: error.message } };
    // Of the stack, which JSON of many levels fills.
    if (error instanceof RangeError) return { problem: { ...problem, path: [], msg: 'is nested too deeply' } };
    throw error;
  }
}

/** For people: `Line 3, messages.0.role must be ...`. */
export const problemText = ({ line, path, msg }: LineProblem): string =>
  `Line ${line}${path.length > 0 ? `, ${path.join('.')}` : ''} ${msg}`;

function parse({ text, badByte }: TextLine): unknown {
  if (badByte !== undefined) throw new BadPlace([], `is not UTF-8: byte ${badByte} is wrong`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadPlace([], `is not JSON: ${(error as Error).message.slice(0, 80)}`);
  }
}
