import type { ToolCallForm } from '../../protocol/chat.js';
import { BareCallParser, TAG } from './bare-call-parser.js';
import type { ParsedToolCall } from './tool-call.js';
import { TaggedCallParser } from './tagged-call-parser.js';

/** Takes tool calls out of a text that arrives in pieces. */
export interface ToolCallReader {
  /** The calls that are complete. */
  readonly toolCalls: readonly ParsedToolCall[];
  /** Content that the text grew by: nothing that may turn out to be part of a call. */
  push(text: string): string;
  /** The rest of the content. */
  finish(): string;
}

export const toolCallReader = (form: ToolCallForm): ToolCallReader =>
  form === 'bare' ? new BareCallParser() : new TaggedCallParser();

/** Special tokens that are part of how calls are written: a reader needs to see them. */
export const callTokens = (form: ToolCallForm | null): readonly string[] => (form === 'bare' ? [TAG] : []);

/** The calls of a whole text, and the content beside them: null where there is nothing but calls. */
export function parseToolCalls(
  text: string,
  form: ToolCallForm,
): { content: string | null; toolCalls: readonly ParsedToolCall[] } {
  const reader = toolCallReader(form);
  const content = reader.push(text) + reader.finish();
  return { content: content === '' && reader.toolCalls.length > 0 ? null : content, toolCalls: reader.toolCalls };
}
