import { randomUUID } from 'node:crypto';
import { startApi, type TestApi } from '../../../support/api.js';
import type { GivenUser } from '../../../support/given.js';

/** A call to be stored: start fields, end fields, or both. Its id is its name in the tests. */
export interface GivenCall {
  id: string;
  [field: string]: unknown;
}

export interface FoundCall {
  [field: string]: unknown;
  id: string;
  summary: { weave: Record<string, unknown> } & Record<string, unknown>;
}

type Member = GivenUser & { entity: string };

/** Stores and queries the calls of one project. */
export class QueryClient {
  readonly projectId: string;

  constructor(
    readonly api: TestApi,
    readonly user: Member,
    project = 'traces',
  ) {
    this.projectId = `${user.entity}/${project}`;
  }

  post(path: string, body: unknown, options: RequestInit = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify({ project_id: this.projectId, ...(body as object) });
    return fetch(`${this.api.url}${path}`, { method: 'POST', headers: this.user.basic, body: text, ...options });
  }

  /** Started a second apart, in the order given. A call with an `ended_at` is sent with its end. */
  async given(...calls: GivenCall[]): Promise<void> {
    const batch = calls.flatMap((call, i) => {
      const started_at = new Date(Date.UTC(2026, 0, 31) + i * 1000).toISOString();
      const defaults = { project_id: this.projectId, trace_id: randomUUID(), op_name: 'op', started_at };
      const start = { mode: 'start', req: { start: { ...defaults, attributes: {}, inputs: {}, ...call } } };
      const end = { mode: 'end', req: { end: { project_id: this.projectId, summary: {}, ...call } } };
      return call['ended_at'] === undefined ? [start] : [start, end];
    });
    await this.upsert(JSON.stringify({ batch }));
  }

  async upsert(body: string): Promise<void> {
    const response = await this.post('/call/upsert_batch', body);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  }

  async find(request: object = {}): Promise<FoundCall[]> {
    const response = await this.post('/calls/stream_query', request);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as FoundCall]));
  }

  async ids(request: object = {}): Promise<string> {
    return (await this.find(request)).map(({ id }) => id).join(' ');
  }

  /** The ids that a condition selects, by stream; that the count agrees is checked along the way. */
  async where(condition: unknown): Promise<string> {
    const query = { $expr: condition };
    const found = await this.find({ query });
    if ((await this.count({ query })) !== found.length) throw new Error('query_stats counts otherwise');
    return found.map(({ id }) => id).join(' ');
  }

  async count(request: object = {}): Promise<number> {
    const response = await this.post('/calls/query_stats', request);
    const answer = (await response.json()) as { count: number };
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer.count;
  }
}

export async function startQueries(settings: Record<string, string> = {}): Promise<QueryClient> {
  const api = await startApi(settings);
  return new QueryClient(api, await api.given.member());
}

export const field = (name: string): object => ({ $getField: name });
export const literal = (value: unknown): object => ({ $literal: value });
export const eq = (name: string, value: unknown): object => ({ $eq: [field(name), literal(value)] });
export const convert = (input: object, to: string): object => ({ $convert: { input, to } });
