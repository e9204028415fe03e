import type { GivenUser } from '../../../support/given.js';

export interface Answer {
  status: number;
  text: string;
  json<T = Record<string, unknown>>(): T;
}

/** A member of one team that speaks the tracing API; a body given as text is sent as it is. */
export class TraceClient {
  readonly projectId: string;

  constructor(
    private readonly url: string,
    private readonly user: Pick<GivenUser, 'basic'>,
    entity: string,
    project = 'lab',
  ) {
    this.projectId = `${entity}/${project}`;
  }

  async post(path: string, body: string | object, method = 'POST'): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify({ project_id: this.projectId, ...body });
    return this.send(path, { method, body: text });
  }

  async send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, { ...init, headers: { ...this.user.basic } });
    const answer = await response.text();
    return { status: response.status, text: answer, json: <T>() => JSON.parse(answer) as T };
  }

  /** Publishes JSON text, and returns its digest. */
  async publish(objectId: string, val: string): Promise<string> {
    const answer = await this.post(
      '/obj/create',
      `{"obj": {"project_id": "${this.projectId}", "object_id": ${JSON.stringify(objectId)}, "val": ${val}}}`,
    );
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<{ digest: string }>().digest;
  }

  async read(objectId: string, digest: string, more: object = {}): Promise<ReadVersion> {
    const answer = await this.post('/obj/read', { object_id: objectId, digest, ...more });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<{ obj: ReadVersion }>().obj;
  }

  async createTable(rows: unknown[]): Promise<{ digest: string; row_digests: string[] }> {
    const answer = await this.post('/table/create', { table: { project_id: this.projectId, rows } });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json();
  }

  /** Stores calls that ended, in one batch. */
  async call(...calls: { id: string; summary?: object }[]): Promise<void> {
    const batch = calls.flatMap(({ id, summary = {} }) => {
      const start = { trace_id: id, op_name: 'op', started_at: '2026-01-31T12:00:00Z', attributes: {}, inputs: {} };
      const end = { ended_at: '2026-01-31T12:00:01Z', summary };
      return [
        { mode: 'start', req: { start: { project_id: this.projectId, id, ...start } } },
        { mode: 'end', req: { end: { project_id: this.projectId, id, ...end } } },
      ];
    });
    const answer = await this.post('/call/upsert_batch', { batch });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  /** `summary.weave` of calls, in the order of their ids here. */
  async weaveOf(callIds: string[], include: object): Promise<Record<string, unknown>[]> {
    const { text } = await this.post('/calls/stream_query', { filter: { call_ids: callIds }, ...include });
    const lines = text.split('\n').filter(Boolean);
    const calls = lines.map((line) => JSON.parse(line) as { id: string; summary: { weave: Record<string, unknown> } });
    return callIds.map((id) => calls.find((call) => call.id === id)!.summary.weave);
  }

  async readRefs(refs: string[]): Promise<unknown[]> {
    const answer = await this.post('/refs/read_batch', { refs });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json<{ vals: unknown[] }>().vals;
  }
}

export interface ReadVersion {
  digest: string;
  version_index: number;
  is_latest: number;
  kind: string;
  base_object_class: string | null;
  leaf_object_class: string | null;
  val: unknown;
  tags?: string[];
  aliases?: string[];
  object_id: string;
  wb_user_id: string;
  created_at: string;
}
