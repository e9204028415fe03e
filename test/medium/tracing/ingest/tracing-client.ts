import { randomUUID } from 'node:crypto';
import type { GivenUser } from '../../../support/given.js';
import { startApi, type TestApi } from '../../../support/api.js';

export interface Answer {
  status: number;
  text: string;
}

/** A raw HTTP client of the tracing API, for one user: bodies go out as they are, answers come back as text. */
export class TracingClient {
  constructor(
    private readonly url: string,
    readonly user: GivenUser & { entity: string },
  ) {}

  get projectId(): string {
    return `${this.user.entity}/traces`;
  }

  /** A string or a Buffer is the body itself; anything else is made JSON. */
  async post(path: string, body: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: this.user.basic,
      body:
        typeof body === 'string' || Buffer.isBuffer(body) ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }

  upsert(...batch: unknown[]): Promise<Answer> {
    return this.post('/call/upsert_batch', { batch });
  }

  async read(id: string): Promise<SeenCall | null> {
    return (JSON.parse(await this.readText(id)) as { call: SeenCall | null }).call;
  }

  async readText(id: string): Promise<string> {
    return (await this.post('/call/read', { project_id: this.projectId, id })).text;
  }

  start(fields: Record<string, unknown> = {}): { mode: string; req: { start: Record<string, unknown> } } {
    const start = {
      project_id: this.projectId,
      id: randomUUID(),
      trace_id: randomUUID(),
      op_name: 'answer',
      started_at: '2026-01-31T12:00:00.000000Z',
      attributes: {},
      inputs: {},
      ...fields,
    };
    return { mode: 'start', req: { start } };
  }

  end(id: string, fields: Record<string, unknown> = {}): { mode: string; req: { end: Record<string, unknown> } } {
    const end = { project_id: this.projectId, id, ended_at: '2026-01-31T12:00:01.000000Z', summary: {}, ...fields };
    return { mode: 'end', req: { end } };
  }
}

/** A call as it is read, as far as tests look at it. */
export interface SeenCall {
  [field: string]: unknown;
  id: string;
  started_at: string;
  summary: { weave: { status: string; trace_name: string; latency_ms?: number } } & Record<string, unknown>;
}

/** An API with a client of a fresh team. */
export async function startTracing(): Promise<{
  api: TestApi;
  client: TracingClient;
  another: () => Promise<TracingClient>;
}> {
  const api = await startApi();
  const another = async (): Promise<TracingClient> => new TracingClient(api.url, await api.given.member());
  return { api, client: await another(), another };
}
