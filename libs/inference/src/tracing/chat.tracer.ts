import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CallStore } from '@heddle/tracing';
import { callOf, type ChatTrace } from './chat-trace.js';

/** Requests whose traces wait for the database, in bytes. Beyond, chat goes on and traces are lost: the log says how many. */
const MAX_WAITING = 64 * 1024 * 1024;
/** What a trace takes beside its request. */
const OVERHEAD = 4096;
const BATCH = 200;

/** Stores chat completions as calls, after their answers: no client waits for it. */
@Injectable()
export class ChatTracer implements OnModuleDestroy {
  private readonly logger = new Logger(ChatTracer.name);
  private waiting: ChatTrace[] = [];
  private storing: Promise<void> | null = null;
  private waitingBytes = 0;
  private lost = 0;

  constructor(private readonly calls: CallStore) {}

  record(trace: ChatTrace): void {
    const bytes = trace.bytes + OVERHEAD;
    if (this.waitingBytes + bytes > MAX_WAITING) {
      this.lost++;
    } else {
      this.waiting.push(trace);
      this.waitingBytes += bytes;
    }
    this.storing ??= this.storeAll().finally(() => (this.storing = null));
  }

  /** What was answered is stored before the process ends. */
  async onModuleDestroy(): Promise<void> {
    await this.storing;
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      for (const traces of together(batch)) await this.store(traces);
      for (const { bytes } of batch) this.waitingBytes -= bytes + OVERHEAD;
      if (this.lost === 0) continue;
      this.logger.warn({ lost: this.lost }, 'chat was faster than its traces could be stored');
      this.lost = 0;
    }
  }

  /** Traces of one caller and one project. */
  private async store(traces: readonly ChatTrace[]): Promise<void> {
    const { caller, project } = traces[0]!;
    try {
      // The project asked for the trace: it is written also where the caller may only read.
      await this.calls.add(project, caller.username, traces.map(callOf));
    } catch (error) {
      this.logger.error({ err: error, projectId: project.id, count: traces.length }, 'chat could not be traced');
    }
  }
}

function together(traces: readonly ChatTrace[]): Iterable<ChatTrace[]> {
  const groups = new Map<string, ChatTrace[]>();
  for (const trace of traces) {
    const key = `${trace.project.id} ${trace.caller.userId}`;
    groups.set(key, [...(groups.get(key) ?? []), trace]);
  }
  return groups.values();
}
