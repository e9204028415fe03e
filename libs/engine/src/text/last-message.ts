import { EngineError } from '../protocol/engine.errors.js';
import type { ChatMessage } from '../protocol/chat.js';
import { templateMessages } from './chat-messages.js';

/**
 * A rendered conversation without what the template writes behind its last message, as `continue_final_message` of transformers
 * has it: space at the message's end stays where the template kept it.
 */
export function untilLastMessage(rendered: string, messages: readonly ChatMessage[]): string {
  const { content } = templateMessages(messages.slice(-1))[0]!;
  const start = rendered.lastIndexOf(content.trim());
  if (start < 0 || content.trim() === '') {
    const message = 'The last message can not be continued: it is empty, or the chat template writes it in another way';
    throw new EngineError('invalid_request', message, 'messages');
  }
  const kept = content.trimStart();
  const whole = rendered.startsWith(kept, start);
  return rendered.slice(0, start + (whole ? kept : content.trim()).length);
}
