import { waitOut } from '@heddle/database';
import type { BackgroundResponsesRepository } from './background-responses.repository.js';

/** Keeps a response's events as they come: those that come while others are written are written together. */
export class EventLog {
  private first = 0;
  private next = 0;
  private text = '';
  private writing: Promise<void> | null = null;

  /**
   * @param told that events were kept
   * @param lost that nobody wants them any more, or why they can't be kept
   */
  constructor(
    private readonly id: string,
    private readonly repository: Pick<BackgroundResponsesRepository, 'keep'>,
    private readonly told: () => void,
    private readonly lost: (error?: unknown) => void,
  ) {}

  /** @param count of all events so far, with these */
  add(text: string, count: number): void {
    if (text === '') return;
    this.text += text;
    this.next = count;
    this.writing ??= this.write().finally(() => (this.writing = null));
  }

  /** Resolves when everything is kept that can be. */
  async flushed(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.text !== '') {
      const events = { first: this.first, last: this.next - 1, text: this.text };
      this.text = '';
      this.first = this.next;
      try {
        if (!(await waitOut(() => this.repository.keep(this.id, events)))) return this.lost();
        this.told();
      } catch (error) {
        return this.lost(error);
      }
    }
  }
}
