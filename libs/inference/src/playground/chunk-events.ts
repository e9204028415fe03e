import type { Completed } from './playground-call.js';

interface Chunk {
  model?: string;
  usage?: object | null;
  error?: { message?: string };
  choices?: { index: number; delta?: Delta; finish_reason?: string | null }[];
}

interface Delta {
  role?: string;
  content?: string | null;
  tool_calls?: { index: number; id?: string; type?: string; function?: { name?: string; arguments?: string } }[];
}

interface Choice {
  index: number;
  message: { role: string; content: string; tool_calls?: { id?: string; type?: string; function: Named }[] };
  finish_reason: string | null;
}

interface Named {
  name: string;
  arguments: string;
}

/** JSON texts of a stream of server-sent events, without the one that ends it. */
export async function* eventTexts(stream: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of stream) {
    for (const event of piece.split('\n\n')) {
      const text = event.replace(/^data: /, '').trim();
      if (text !== '' && text !== '[DONE]') yield text;
    }
  }
}

/** Puts the chunks of a stream together again. */
export class ChunkSum {
  private readonly choices = new Map<number, Choice>();
  private model: string;
  private usage: object | null = null;
  private failure: string | null = null;

  constructor(model: string) {
    this.model = model;
  }

  add(text: string): void {
    const chunk = JSON.parse(text) as Chunk;
    if (chunk.error) this.failure = chunk.error.message ?? 'Error';
    this.model = chunk.model ?? this.model;
    this.usage = chunk.usage ?? this.usage;
    for (const { index, delta = {}, finish_reason: reason } of chunk.choices ?? []) {
      const choice = this.choices.get(index) ?? newChoice(index);
      this.choices.set(index, choice);
      choice.message.content += delta.content ?? '';
      choice.finish_reason = reason ?? choice.finish_reason;
      for (const call of delta.tool_calls ?? []) addCall(choice, call);
    }
  }

  outcome(): Completed | { exception: string } {
    if (this.failure !== null) return { exception: this.failure };
    const choices = [...this.choices.values()].sort((a, b) => a.index - b.index);
    return { model: this.model, choices, usage: this.usage };
  }
}

const newChoice = (index: number): Choice => ({
  index,
  message: { role: 'assistant', content: '' },
  finish_reason: null,
});

function addCall({ message }: Choice, call: NonNullable<Delta['tool_calls']>[0]): void {
  message.tool_calls ??= [];
  const known = (message.tool_calls[call.index] ??= { function: { name: '', arguments: '' } });
  if (call.id !== undefined) known.id = call.id;
  if (call.type !== undefined) known.type = call.type;
  known.function.name += call.function?.name ?? '';
  known.function.arguments += call.function?.arguments ?? '';
}
