import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Env } from '@heddle/config';
import { waitOut } from '@heddle/database';
import { ApiError } from '@heddle/http';
import { shownError } from '../../answer/answer.js';
import type { AnswerEvent } from '../../answer/answer-form.js';
import type { ResponseForm } from '../response.form.js';
import type { ResponseObject } from '../response-object.js';
import { BackgroundResponsesRepository } from './background-responses.repository.js';
import { EventLog } from './event-log.js';
import { RunningResponsesRegistry } from './running-responses.registry.js';

export interface BackgroundJob {
  id: string;
  form: ResponseForm;
  events: AsyncGenerator<AnswerEvent>;
  isStreamed: boolean;
  /** Ends the generation. */
  stop: AbortController;
}

const STOPPED = new ApiError(503, 'server_stopped', 'The server was stopped before this response was whole: ask again');
/** Of the time that a process has for its end: the rest is for writing down what was not done. */
const SHARE_TO_END = 0.5;

/** Makes responses that nobody waits for, and writes down what came of each. */
@Injectable()
export class BackgroundResponseRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('BackgroundResponses');
  private readonly jobs = new Set<Promise<void>>();

  constructor(
    private readonly repository: BackgroundResponsesRepository,
    private readonly running: RunningResponsesRegistry,
    private readonly env: Env,
  ) {}

  /** What is nearly done may be done. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.jobs.size === 0) return;
    const stop = (): void => this.running.stopAll('stopping');
    const timer = setTimeout(stop, this.env.SHUTDOWN_TIMEOUT_SECONDS * 1000 * SHARE_TO_END);
    await Promise.all(this.jobs);
    clearTimeout(timer);
  }

  /** Resolves at its end, and never rejects. */
  run(job: BackgroundJob): Promise<void> {
    this.running.add(job.id, job.stop);
    const done = this.make(job)
      // Its lease runs out, and it counts as lost.
      .catch((error: unknown) => this.logger.error({ err: error, responseId: job.id }, 'a response has no end'))
      .finally(() => {
        this.running.remove(job.id);
        this.jobs.delete(done);
      });
    this.jobs.add(done);
    return done;
  }

  private async make(job: BackgroundJob): Promise<void> {
    const ended = await this.ending(job);
    await waitOut(() => this.repository.end(job.id, ended));
  }

  private async ending({ id, form, events, isStreamed, stop }: BackgroundJob): Promise<ResponseObject> {
    let failure: unknown;
    const lost = (error?: unknown): void => {
      failure = error;
      stop.abort('ended');
    };
    const log = isStreamed ? new EventLog(id, this.repository, () => this.running.tell(id), lost) : null;
    const writer = form.writer();
    let isBegun = false;
    try {
      log?.add(writer.queued(), writer.count);
      for await (const event of events) {
        const text = writer.after(event);
        log?.add(text, writer.count);
        if (isBegun) continue;
        isBegun = true;
        await waitOut(() => this.repository.begin(id, form.begun()));
      }
      return form.whole();
    } catch (error) {
      return form.failed(stop.signal.reason === 'stopping' ? STOPPED : shownError(failure ?? error));
    } finally {
      await log?.flushed();
    }
  }
}
