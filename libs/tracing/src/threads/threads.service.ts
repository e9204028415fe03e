import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { StatementReader } from '../query/statement.reader.js';
import { originalText } from '../values/indexed-text.js';
import { selectThreads, type ThreadRow } from './threads-query.js';
import type { QueryThreads } from './threads.schema.js';

@Injectable()
export class ThreadsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: StatementReader,
  ) {}

  /** JSON texts of the threads, one a line, in chunks of many lines. */
  async *lines(caller: Principal, request: QueryThreads, signal: AbortSignal): AsyncGenerator<Buffer> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    // Also without a project: what is malformed should show before there is one.
    const statement = selectThreads(project?.id ?? 0, request);
    if (!project) return;
    for await (const threads of this.reader.rows<ThreadRow>(statement, signal)) {
      yield Buffer.from(threads.map((thread) => `${JSON.stringify(toThread(thread))}\n`).join(''));
    }
  }
}

function toThread({ long_texts, ...thread }: ThreadRow): Omit<ThreadRow, 'long_texts'> {
  const texts = Object.assign({}, ...(long_texts ?? [])) as Record<string, string>;
  return {
    ...thread,
    thread_id: originalText(thread.thread_id, texts),
    first_turn_id: originalText(thread.first_turn_id, texts),
    last_turn_id: originalText(thread.last_turn_id, texts),
  };
}
