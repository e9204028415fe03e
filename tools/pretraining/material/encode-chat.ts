import type { ChatMessage } from '../../../libs/engine/src/protocol/chat.js';
import type { Branch, SequenceTree } from '../../../libs/engine/src/training/sequence-tree.js';
import { jsonText } from './json-text.js';
import type { TrainingChat } from './skill.js';

/** Ids of the tokens of the shipped tokenizer that are no bytes. */
export const MARKERS = {
  '<|im_start|>': 256,
  '<|im_end|>': 257,
  '<tool_call>': 259,
  '</tool_call>': 260,
  '<tool_response>': 261,
  '</tool_response>': 262,
} as const;

type Part = keyof typeof MARKERS | { text: string };

const CALL_HINT = '\n</tools>\nTo call a tool, answer with:\n';

/**
 * A chat as the shipped tokenizer and chat template write it, without the cost of either: a corpus is made much faster
 * than it is learned. A test holds the two equal.
 */
export class ChatWriter {
  private readonly ids: number[] = [];
  private readonly targets: number[] = [];
  /** Where the answer to the last question starts. */
  private answerStart = 0;

  constructor(chat: TrainingChat) {
    const { messages, tools } = chat;
    const first = messages[0];
    let start = 0;
    if (tools) {
      const system = first?.role === 'system' ? `${String(first.content)}\n\n` : '';
      if (first?.role === 'system') start = 1;
      const signatures = tools.map((tool) => `\n${jsonText(tool.function)}`).join('');
      this.add('<|im_start|>', { text: `system\n${system}Tools:\n<tools>${signatures}${CALL_HINT}` });
      this.add('<tool_call>', { text: '\n{"name": <name>, "arguments": <object>}\n' }, '</tool_call>');
      this.add('<|im_end|>', { text: '\n' });
    }
    for (const message of messages.slice(start)) this.message(message);
  }

  /** All of it; targets are the assistant's words and the ends of its turns, or every token where the whole text is to be learned. */
  branch(whole: boolean): Branch {
    const targets = whole ? this.ids.map((_, position) => position).slice(1) : this.targets;
    return { tokens: Int32Array.from(this.ids), targets: Int32Array.from(targets) };
  }

  /** Everything before the last answer, as a model is asked for it. */
  prompt(): number[] {
    return this.ids.slice(0, this.answerStart);
  }

  /** The last answer with the end of its turn. */
  answer(): number[] {
    return this.ids.slice(this.answerStart, -1);
  }

  private message(message: ChatMessage): void {
    const content = message.content ?? '';
    if (typeof content !== 'string') throw new TypeError('The corpus writes plain text only.');
    switch (message.role) {
      case 'system':
      case 'user':
        this.add('<|im_start|>', { text: `${message.role}\n${content}` }, '<|im_end|>', { text: '\n' });
        return;
      case 'tool':
        this.add('<|im_start|>', { text: 'user\n' }, '<tool_response>', { text: `\n${content}\n` }, '</tool_response>');
        this.add('<|im_end|>', { text: '\n' });
        return;
      case 'assistant':
        this.add('<|im_start|>', { text: 'assistant\n' });
        this.answerStart = this.ids.length;
        if (content) this.add({ text: content });
        for (const { function: called } of message.tool_calls ?? []) {
          this.add('<tool_call>', {
            text: `\n{"name": ${JSON.stringify(called.name)}, "arguments": ${called.arguments}}\n`,
          });
          this.add('</tool_call>');
        }
        this.add('<|im_end|>');
        for (let position = this.answerStart; position < this.ids.length; position++) this.targets.push(position);
        this.add({ text: '\n' });
        return;
      default:
        throw new TypeError(`The corpus has no turns of ${message.role}.`);
    }
  }

  private add(...parts: Part[]): void {
    for (const part of parts) {
      if (typeof part === 'string') this.ids.push(MARKERS[part]);
      else for (const byte of Buffer.from(part.text)) this.ids.push(byte);
    }
  }
}

/** One sequence, no shared prefix. */
export function treeOf(chat: TrainingChat, whole = false): SequenceTree {
  return { prefix: new Int32Array(0), branches: [new ChatWriter(chat).branch(whole)] };
}

/** Text of an answer as {@link ChatWriter.answer} gives it; special tokens are left out, but not those of tool calls. */
export function answerText(ids: readonly number[]): string {
  const names = new Map<number, string>(Object.entries(MARKERS).map(([name, id]) => [id, name]));
  const bytes = ids.flatMap((id) =>
    id < 256 ? [id] : id === MARKERS['<|im_end|>'] ? [] : [...Buffer.from(names.get(id) ?? '\ufffd')],
  );
  return Buffer.from(bytes).toString('utf8');
}
