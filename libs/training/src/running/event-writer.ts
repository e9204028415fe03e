import type { NewEvent } from './training-progress.repository.js';

/**
 * Writes events behind the back of whoever brings them: while some are written, more gather and go together in the next
 * statement. Their order stays.
 */
export class EventWriter {
  private gathered: NewEvent[] = [];
  private writing: Promise<void> | null = null;
  private failure: Error | null = null;

  constructor(private readonly write: (events: readonly NewEvent[]) => Promise<void>) {}

  /** @throws what an earlier write failed of */
  add(event: NewEvent): void {
    if (this.failure) throw this.failure;
    this.gathered.push(event);
    this.writing ??= this.writeAll();
  }

  /** Resolves once everything is written. @throws what a write failed of */
  async drain(): Promise<void> {
    await this.writing;
    if (this.failure) throw this.failure;
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.gathered.length > 0) await this.write(this.gathered.splice(0));
    } catch (error) {
      this.failure = error as Error;
    } finally {
      this.writing = null;
    }
  }
}
