import { mayBeBuiltInCall, readBuiltInCall } from './built-in-call.js';
import { readToolCall, type ParsedToolCall } from './tool-call.js';

/** What may stand before a call, and between calls. */
const BEFORE = /^(?:\s|<\|python_tag\|>)*/;
const BETWEEN = /^(?:\s|;|<\|python_tag\|>)*/;
/** Before a call, and always before one of a built-in tool. */
export const TAG = '<|python_tag|>';

/**
 * Reads `{"name": ..., "parameters": {...}}` and `<|python_tag|>name.call(key="...")` as Llama 3 writes calls: nothing else is
 * in the text before them. A text that begins otherwise, or whose object is no call, is content from there on, without the
 * tag.
 */
export class BareCallParser {
  readonly toolCalls: ParsedToolCall[] = [];
  /** Text that isn't decided yet. */
  private pending = '';
  /** Whether what comes may still be a call. */
  private expecting = true;
  /** How far the object that is open has been searched for its end. */
  private searched = 0;
  private depth = 0;
  private inString = false;

  /** Content that the text grew by: nothing that may turn out to be a call. */
  push(text: string): string {
    this.pending += text;
    let decided = this.expecting;
    while (decided) decided = this.decide();
    return this.expecting ? '' : this.rest();
  }

  /** The rest of the content. A call that the end of the text cut off is content. */
  finish(): string {
    if (this.expecting) this.close();
    return this.rest();
  }

  /** Takes one call, or finds that there are no more; whether there may be another one right behind it. */
  private decide(): boolean {
    const before = this.separators();
    const start = before.length;
    const text = this.pending.slice(start);
    if (text === '' || TAG.startsWith(text)) return false;
    if (before.includes(TAG) && mayBeBuiltInCall(text)) return this.decideBuiltIn(text, start);
    const end = text.startsWith('{') ? this.objectEnd(start) : start;
    if (end === null) return false;
    const call = readToolCall(this.pending.slice(start, end), ['parameters', 'arguments'], true);
    if (call) {
      this.toolCalls.push(call);
      this.pending = this.pending.slice(end);
      this.searched = 0;
    } else this.close();
    return call !== null;
  }

  private decideBuiltIn(text: string, start: number): boolean {
    const found = text.includes(')') ? readBuiltInCall(text) : null;
    if (!found) return false;
    this.toolCalls.push(found.call);
    this.pending = this.pending.slice(start + found.length);
    return true;
  }

  private close(): void {
    this.expecting = false;
    // What separates calls goes with them, and the tag with what it announces.
    if (this.toolCalls.length > 0 || this.separators().includes(TAG))
      this.pending = this.pending.slice(this.separators().length);
  }

  /** The place after the object that begins at `start`; null before its end is there. */
  private objectEnd(start: number): number | null {
    for (this.searched = Math.max(this.searched, start); this.searched < this.pending.length; this.searched++) {
      const character = this.pending[this.searched];
      if (this.inString && character === '\\') this.searched++;
      else if (character === '"') this.inString = !this.inString;
      else if (!this.inString && character === '{') this.depth++;
      else if (!this.inString && character === '}' && --this.depth === 0) return this.searched + 1;
    }
    return null;
  }

  private separators(): string {
    return (this.toolCalls.length > 0 ? BETWEEN : BEFORE).exec(this.pending)![0];
  }

  private rest(): string {
    const text = this.pending;
    this.pending = '';
    return text;
  }
}
