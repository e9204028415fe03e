import type { SftExample, StepMetrics } from '@heddle/engine';

const EXAMPLE = ['messages', 'tools', 'untrained', 'templateVariables'];
/** Chat templates write reasoning where they know of it, by one of these names. */
const MESSAGE = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning', 'thinking'];
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 60;

/** Counts the keys of examples that nobody reads: a typing error may be among them. */
export class UnknownKeys implements Iterable<string> {
  private readonly counts = new Map<string, number>();
  private others = 0;
  total = 0;

  add({ messages, ...example }: SftExample): void {
    this.count(example, EXAMPLE, '');
    for (const message of messages) this.count(message, MESSAGE, 'messages[].');
  }

  /** The warning, where there is something to be warned of. */
  *[Symbol.iterator](): Generator<string> {
    if (this.total === 0) return;
    const named = Array.from(this.counts, ([name, count]) => `${name} (${times(count)})`);
    const rest = this.others > 0 ? [`others (${times(this.others)})`] : [];
    yield `Unknown keys of the training data are ignored: ${[...named, ...rest].join(', ')}`;
  }

  /** Clients show numbers of gradient steps, and nothing else. */
  get metrics(): StepMetrics {
    const none: StepMetrics = {};
    return this.total > 0 ? { num_unknown_keys: this.total } : none;
  }

  private count(value: object, known: readonly string[], prefix: string): void {
    for (const [key, field] of Object.entries(value)) {
      if (known.includes(key) || isUnset(field)) continue;
      const name = prefix + key.slice(0, MAX_NAME_LENGTH);
      this.total++;
      if (this.counts.has(name) || this.counts.size < MAX_NAMES)
        this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      else this.others++;
    }
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Clients write all fields of their classes. */
const isUnset = (field: unknown): boolean =>
  field === null || field === undefined || (Array.isArray(field) && field.length === 0);
