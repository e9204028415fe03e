import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ApiError } from '@heddle/http';
import { indexJson, JsonError, type JsonNode, WorkTurns } from '@heddle/json';
import { ProjectAccessService } from '@heddle/projects';
import type { CallItem } from '../ingest/call-batch.js';
import { CallsIngestService } from '../ingest/calls-ingest.service.js';
import type { ExportResult } from './export-response.js';
import { jsonSpans } from './json-spans.js';
import { RejectedSpanError } from './otel.errors.js';
import { protobufSpans } from './protobuf-spans.js';
import { readSpan } from './read-span.js';
import { readAttributes } from './read-value.js';
import type { ReceivedSpan } from './received-span.js';
import { SpanProjects } from './span-projects.js';
import { dumpOf, spanToCall } from './span-to-call.js';

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
    private readonly calls: CallsIngestService,
    private readonly access: ProjectAccessService,
  ) {}

  /**
   * Stores what can be stored. A span that can't is counted, and its neighbours don't suffer.
   * @throws InvalidOtlpError; ApiError if no span is stored because of where they were to go
   */
  async ingest(caller: Principal, { body, encoding, project }: ExportRequest): Promise<ExportResult> {
    const projects = new SpanProjects(caller, this.access, project);
    const items: CallItem[] = [];
    const refused: Error[] = [];
    const turns = new WorkTurns();
    let position = 0;
    for (const received of encoding === 'json' ? await jsonSpans(body) : protobufSpans(body)) {
      if (turns.isOver()) await turns.next();
      const loc = ['body', 'spans', position++];
      try {
        items.push({ ...(await toItem(received, projects)), loc });
      } catch (error) {
        if (!(error instanceof RejectedSpanError || error instanceof ApiError)) throw error;
        refused.push(error);
      }
    }
    // Exporters drop a partial success unread: when nothing got through, the user must see why.
    const misdirected = refused.find((error) => error instanceof ApiError);
    if (items.length === 0 && misdirected) throw misdirected;
    await this.calls.store(caller, items);
    return { rejections: refused.map((error) => error.message) };
  }
}

async function toItem(received: ReceivedSpan, projects: SpanProjects): Promise<Pick<CallItem, 'kind' | 'node'>> {
  const { resource, scope, span: node } = received;
  if (node instanceof RejectedSpanError) throw node;
  const span = readSpan(node);
  const project = await projects.of(resource);
  const call = spanToCall(span, project, readAttributes(resource?.get('attributes')), dumpOf(node, resource, scope));
  return { kind: span.endNanos === 0n ? 'start' : 'complete', node: await indexCall(call) };
}

/** Levels of a call that ingest looks into. */
const INDEXED_DEPTH = 2;

async function indexCall(call: Buffer): Promise<JsonNode> {
  try {
    return await indexJson(call, { depth: INDEXED_DEPTH });
  } catch (error) {
    // An attribute may hold JSON text that is nested as deep as JSON may be, and lies a few levels deeper in a call.
    throw error instanceof JsonError ? new RejectedSpanError(error.message) : error;
  }
}
