import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ApiError } from '@heddle/http';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { CallStore } from '@heddle/tracing';
import { ChatCompletionsService } from '../chat-completions.service.js';
import { ChunkSum, eventTexts } from './chunk-events.js';
import { type Completed, playgroundCall } from './playground-call.js';
import { inTraceDialect } from './trace-dialect.js';
import { type PlaygroundRequest, readPlaygroundRequest, type Tracked } from './playground-request.js';

/** Chats of Weave's playground, with the models that Heddle serves. */
@Injectable()
export class PlaygroundService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly chats: ChatCompletionsService,
    private readonly calls: CallStore,
  ) {}

  async complete(caller: Principal, body: Buffer, left: AbortSignal): Promise<object> {
    const { project, chat, track } = await this.read(caller, body);
    const startedAt = new Date();
    try {
      const answer = await this.chats.start(caller, bytesOf(chat), left);
      const response = await answer.whole();
      if (track) await this.keep(caller, { project, chat, track, startedAt }, response as unknown as Completed);
      return { response, ...idsOf(track) };
    } catch (error) {
      if (track) await this.keep(caller, { project, chat, track, startedAt }, { exception: messageOf(error) });
      throw inTraceDialect(error, INPUTS);
    }
  }

  /** JSON lines: what it is kept as, then the chunks. What goes wrong before the first token is an error as any other. */
  async stream(caller: Principal, body: Buffer, left: AbortSignal): Promise<AsyncGenerator<string>> {
    const asked = await this.read(caller, body);
    const { chat, track, project } = asked;
    const startedAt = new Date();
    const sent = { ...chat, stream: true, stream_options: { include_usage: true } };
    try {
      const answer = await this.chats.start(caller, bytesOf(sent), left);
      return this.lines(caller, { project, chat, track, startedAt }, answer.stream());
    } catch (error) {
      if (track) await this.keep(caller, { project, chat, track, startedAt }, { exception: messageOf(error) });
      throw inTraceDialect(error, INPUTS);
    }
  }

  private async *lines(caller: Principal, asked: Asked, events: AsyncGenerator<string>): AsyncGenerator<string> {
    const { track, chat } = asked;
    const sum = new ChunkSum(String(chat['model']));
    let isWhole = false;
    try {
      if (track) yield `${JSON.stringify({ _meta: idsOf(track) })}\n`;
      for await (const text of eventTexts(events)) {
        sum.add(text);
        yield `${text}\n`;
      }
      isWhole = true;
    } finally {
      const outcome = isWhole ? sum.outcome() : { exception: 'The client left' };
      if (track) await this.keep(caller, { ...asked, track }, outcome);
    }
  }

  /** Who keeps a call has to be allowed to write it; who doesn't must know the project. */
  private async read(caller: Principal, body: Buffer): Promise<PlaygroundRequest & { project: ProjectRef | null }> {
    const request = readRequest(body);
    const name = parseProjectId(request.projectId);
    const project = request.track ? await this.access.findOrCreate(caller, name) : await this.access.find(caller, name);
    return { ...request, project };
  }

  private async keep(
    caller: Principal,
    { project, chat, track, startedAt }: Asked & { track: Tracked },
    outcome: Completed | { exception: string },
  ): Promise<void> {
    const call = playgroundCall(chat, track, { startedAt, endedAt: new Date() }, outcome);
    await this.calls.add(project!, caller.username, [call]);
  }
}

/** Where the chat is. */
const INPUTS = ['body', 'inputs'];

/** @throws ValidationError | ApiError 501 */
function readRequest(body: Buffer): PlaygroundRequest {
  try {
    return readPlaygroundRequest(body);
  } catch (error) {
    throw inTraceDialect(error, ['body']);
  }
}

interface Asked {
  project: ProjectRef | null;
  chat: Record<string, unknown>;
  track: Tracked | null;
  startedAt: Date;
}

const bytesOf = (chat: object): Buffer => Buffer.from(JSON.stringify(chat));

const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'Internal server error');

function idsOf(track: Tracked | null): object {
  if (!track) return {};
  const { spanId, traceId, conversationId } = track;
  return { weave_call_id: spanId, span_id: spanId, trace_id: traceId, conversation_id: conversationId };
}
