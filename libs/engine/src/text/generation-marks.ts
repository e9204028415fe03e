import { EngineError } from '../protocol/engine.errors.js';

/** Characters that Unicode keeps free for uses like this one. */
const START = '\u{FDD0}';
const END = '\u{FDD1}';

const TAG = /(?:^[ \t]*)?\{%([-+]?)\s*(end)?generation\s*([-+]?)%\}(\n?)/gm;

export interface MarkedText {
  text: string;
  /** Where the assistant's parts begin and end, in characters. */
  spans: { start: number; end: number }[];
}

/**
 * Makes `{% generation %}` and `{% endgeneration %}` write marks. Statements become expressions, so what Jinja does for
 * statements only is done here: white space before one on its line and the line break after it go. (The package cuts
 * the tags out of the source, and then joins and strips white space across them, which gives other texts than
 * transformers.)
 */
export function markGenerations(source: string): string {
  return source.replace(TAG, (_, before: string, end: string | undefined, after: string, lineBreak: string) => {
    const mark = end ? END : START;
    return `{{${before === '-' ? '-' : ''} '${mark}' ${after === '-' ? '-' : ''}}}${after === '-' ? lineBreak : ''}`;
  });
}

/** Takes the marks out again. */
export function readMarks(marked: string): MarkedText {
  const spans: MarkedText['spans'] = [];
  let text = '';
  for (const piece of marked.split(/([\u{FDD0}\u{FDD1}])/u)) {
    if (piece !== START && piece !== END) {
      text += piece;
      continue;
    }
    if (piece === START) spans.push({ start: text.length, end: text.length });
    else spans.at(-1)!.end = text.length;
  }
  return { text, spans };
}

/** @throws EngineError where a text holds marks of its own. */
export function refuseMarks(value: unknown): void {
  if (/[\u{FDD0}\u{FDD1}]/u.test(JSON.stringify(value))) {
    throw new EngineError('invalid_request', 'The messages hold U+FDD0 or U+FDD1, which are no characters', 'messages');
  }
}
