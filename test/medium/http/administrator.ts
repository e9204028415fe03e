import type { INestApplication } from '@nestjs/common';
import { FirstAdminService } from '@heddle/accounts';
import { createWorker } from '../../../apps/worker/src/create-worker.js';
import { startApi, type TestApi } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import type { SwaggerRequest } from './swagger-requests.js';

const KEY = `hd_${'k'.repeat(43)}`;
const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/;

interface Shown {
  id?: string;
  name?: string;
  data?: { id: string }[];
  detail?: unknown;
}

/** Somebody with a server that nobody has used, and a receiver, who sends what the API description shows. */
export class Administrator {
  /** What was answered where things of a kind are made or, if that's nowhere, listed. */
  private readonly answered = new Map<string, { id: string; name?: string }>();
  private readonly made = new Set<string>();
  private archive?: ArrayBuffer;

  private constructor(
    private readonly api: TestApi,
    private readonly worker: INestApplication,
    readonly receiver: Receiver,
  ) {}

  static async start(): Promise<Administrator> {
    const api = await startApi({
      ADMIN_API_KEY: KEY,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
    });
    await api.provider(FirstAdminService).ensure();
    return new Administrator(api, await (await createWorker(api.env)).init(), await Receiver.start());
  }

  /** @returns those that did not succeed */
  async send(requests: SwaggerRequest[]): Promise<unknown[]> {
    const refused: unknown[] = [];
    for (const request of requests) {
      const { status, detail } = await this.sendOne(request);
      if (status < 200 || status > 299) refused.push([request.name, status, detail]);
    }
    return refused;
  }

  async close(): Promise<void> {
    await this.worker.close();
    await this.api.close();
    await this.receiver.close();
  }

  private async sendOne(request: SwaggerRequest): Promise<{ status: number; detail: unknown }> {
    const { url, body } = this.typed(request);
    const file = request.type === 'application/x-tar' ? this.archive! : 'the file that was chosen';
    const answer = await fetch(url, {
      method: request.method,
      headers: { authorization: `Bearer ${KEY}`, ...(request.type ? { 'content-type': request.type } : {}) },
      body: request.type === null ? null : request.type === 'application/json' ? body : file,
    });
    const type = answer.headers.get('content-type') ?? '';
    const content = await answer.arrayBuffer();
    if (type === 'application/x-tar') this.archive = content;
    const isJson = type.startsWith('application/json');
    const shown = (isJson ? JSON.parse(new TextDecoder().decode(content)) : {}) as Shown;
    if (answer.ok) this.remember(request, shown);
    return { status: answer.status, detail: shown.detail };
  }

  /** What no example can know: ids, where the receiver is, and what confirms a deletion. All else is sent as it is shown. */
  private typed(request: SwaggerRequest): { url: string; body: string } {
    const { template, parameters, body } = request;
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const example = String(parameters[name]);
      const isMade = UUID.test(example);
      return encodeURIComponent(isMade ? this.idOf(template.slice(0, template.indexOf(`/{${name}}`))) : example);
    });
    const query = new URLSearchParams({ ...request.query, ...this.confirmation(request) });
    const text = JSON.stringify(body, (key, value: unknown) => {
      if (key === 'url_endpoint') return `http://127.0.0.1:${this.receiver.port}${new URL(String(value)).pathname}`;
      return typeof value === 'string' && UUID.test(value) ? this.idOf(`/v1/${key.replace(/_id$/, '')}s`) : value;
    });
    return { url: `${this.api.url}${path}?${query.toString()}`, body: text };
  }

  private idOf(collection: string): string {
    const known = this.answered.get(collection);
    if (!known) throw new Error(`Nothing has been answered yet by ${collection}`);
    return known.id;
  }

  /** A name, as the answer to a deletion without one asks for it. */
  private confirmation({ method, template, parameters }: SwaggerRequest): Record<string, string> {
    const { team, entity, project } = parameters;
    const confirm = {
      '/v1/teams/{team}': team,
      '/v1/projects/{entity}/{project}': `${String(entity)}/${String(project)}`,
      '/v1/automations/{id}': this.answered.get('/v1/automations')?.name,
    }[template];
    return method !== 'DELETE' || confirm === undefined ? {} : { confirm: String(confirm) };
  }

  private remember({ method, template }: SwaggerRequest, { id, name, data }: Shown): void {
    const known = id ? { id, ...(name ? { name } : {}) } : data?.[0];
    if (!known || (method === 'GET' && this.made.has(template))) return;
    this.answered.set(template, known);
    if (method === 'POST') this.made.add(template);
  }
}
