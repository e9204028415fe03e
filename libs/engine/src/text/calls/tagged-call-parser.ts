import { readToolCall, type ParsedToolCall } from './tool-call.js';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * Cuts `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` blocks (as Hermes and Qwen models write them) out of
 * a text that arrives in pieces. A block that is no call stays content. White space around calls belongs to them:
 * templates write it again.
 */
export class TaggedCallParser {
  readonly toolCalls: ParsedToolCall[] = [];
  /** Text that isn't decided yet. */
  private pending = '';
  /** Where the body of an open block begins in it; -1 outside of blocks. */
  private body = -1;
  /** How far the body has been searched for its closing tag, and whether that place is inside of a JSON string. */
  private searched = 0;
  private inString = false;
  private wrote = false;
  private afterCall = false;

  /** Content that the text grew by: nothing that may turn out to be part of a call, or the space before one. */
  push(text: string): string {
    this.pending += text;
    return this.advance(false);
  }

  /**
   * The rest of the content. A call that the end of the text cut before its closing tag counts where it is complete.
   */
  finish(): string {
    return this.advance(true);
  }

  private advance(atEnd: boolean): string {
    let content = '';
    for (;;) {
      if (this.body < 0) {
        const open = this.pending.indexOf(OPEN);
        if (open < 0) return content + this.emit(this.pending.length - (atEnd ? 0 : heldBack(this.pending)));
        content += this.emit(heldFrom(this.pending, open));
        this.body = this.searched = this.pending.indexOf(OPEN) + OPEN.length;
        this.inString = false;
      }
      const close = this.closingTag();
      if (close === null && !atEnd) return content;
      const call = readToolCall(this.pending.slice(this.body, close ?? undefined), ['arguments', 'parameters']);
      if (call) {
        this.toolCalls.push(call);
        this.pending = close === null ? '' : this.pending.slice(close + CLOSE.length);
        this.afterCall = true;
      } else {
        content += this.emit(this.body);
      }
      this.body = -1;
    }
  }

  /** Where the closing tag is that is not inside of a JSON string; goes on where the last search ended. */
  private closingTag(): number | null {
    const { pending } = this;
    for (; this.searched < pending.length; this.searched++) {
      const character = pending[this.searched];
      if (this.inString && character === '\\') this.searched++;
      else if (character === '"') this.inString = !this.inString;
      else if (!this.inString && character === '<') {
        if (pending.startsWith(CLOSE, this.searched)) return this.searched;
        if (CLOSE.startsWith(pending.slice(this.searched))) return null;
      }
    }
    return null;
  }

  /** Takes `length` characters of content. */
  private emit(length: number): string {
    let text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    if (this.afterCall) {
      text = text.trimStart();
      // Space after a call stays away, unless content goes on, which stands apart from what came before the call.
      if (text !== '') {
        this.afterCall = false;
        if (this.wrote) text = `\n${text}`;
      }
    }
    this.wrote ||= text !== '';
    return text;
  }
}

/** Where the white space before a place begins. */
function heldFrom(text: string, place: number): number {
  return text.slice(0, place).trimEnd().length;
}

/** How many characters at the end may be white space before a call, or the beginning of its tag. */
function heldBack(text: string): number {
  let tag = Math.min(OPEN.length - 1, text.length);
  while (tag > 0 && !text.endsWith(OPEN.slice(0, tag))) tag--;
  return text.length - heldFrom(text, text.length - tag);
}
