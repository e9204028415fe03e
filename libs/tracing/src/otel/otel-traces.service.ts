import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ApiError } from '@heddle/http';
import { WorkTurns } from '@heddle/json';
import { ProjectAccessService } from '@heddle/projects';
import { CallStore, type ProjectCall } from '../store/call.store.js';
import type { ExportResult } from './export-response.js';
import { jsonSpans } from './json-spans.js';
import { RejectedSpanError } from './otel.errors.js';
import { protobufSpans } from './protobuf-spans.js';
import type { ReceivedSpan } from './received-span.js';
import { SpanProjects } from './span-projects.js';
import { spanToCall } from './span-to-call.js';

export interface ExportRequest {
  body: Buffer;
  encoding: 'json' | 'protobuf';
  /** `entity/project`, for resources that name none. */
  project: string | undefined;
}

/** Takes in OpenTelemetry spans as calls. */
@Injectable()
export class OtelTracesService {
  constructor(
    private readonly calls: CallStore,
    private readonly access: ProjectAccessService,
  ) {}

  /**
   * Stores what can be stored. A span that can't is counted, and its neighbours don't suffer.
   * @throws InvalidOtlpError; ApiError if no span is stored because of where they were to go
   */
  async ingest(caller: Principal, { body, encoding, project }: ExportRequest): Promise<ExportResult> {
    const projects = new SpanProjects(caller, this.access, project);
    const calls: ProjectCall[] = [];
    const refused: Error[] = [];
    const turns = new WorkTurns();
    for (const received of encoding === 'json' ? await jsonSpans(body) : protobufSpans(body)) {
      if (turns.isOver()) await turns.next();
      try {
        calls.push(await toCall(received, projects));
      } catch (error) {
        if (!(error instanceof RejectedSpanError || error instanceof ApiError)) throw error;
        refused.push(error);
      }
    }
    // Exporters drop a partial success unread: when nothing got through, the user must see why.
    const misdirected = refused.find((error) => error instanceof ApiError);
    if (calls.length === 0 && misdirected) throw misdirected;
    await this.calls.addAll(caller.username, calls);
    return { rejections: refused.map((error) => error.message) };
  }
}

async function toCall(received: ReceivedSpan, projects: SpanProjects): Promise<ProjectCall> {
  if (received instanceof RejectedSpanError) throw received;
  const { source, span, dump } = received;
  const project = await projects.of(source);
  return { projectId: project.id, call: spanToCall(span, project, source.attributes, dump) };
}
