import type { SftExample } from '../protocol/train.js';

/** What servers and templates call the thoughts of an answer. */
const NAMES = ['reasoning_content', 'reasoning', 'thinking'];

/** Counts the thoughts in examples that the model's chat template doesn't write, so that they are not learnt. */
export class UnwrittenReasoning {
  private readonly names: string[];
  private readonly counts = new Map<string, number>();

  constructor(template: { names(key: string): boolean }) {
    this.names = NAMES.filter((name) => !template.names(name));
  }

  look({ messages }: SftExample): void {
    for (const message of messages) {
      const fields = message as object as Record<string, unknown>;
      for (const name of this.names) if (fields[name]) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  warnings(): string[] {
    return Array.from(
      this.counts,
      ([name, count]) =>
        `${name} is not learnt: the model's chat template doesn't write it (${count} messages have it).`,
    );
  }
}
