import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { EventRecorder } from '../../support/events.js';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Answer, type Ask, as } from '../accounts/requests.js';

/** A team's project on an API of its own, and one of its members. */
export class ArtifactApi {
  private counter = 0;

  private constructor(
    readonly api: TestApi,
    readonly events: EventRecorder,
    readonly ada: GivenUser & { entity: string },
    readonly ask: Ask,
    /** `entity/project`. */
    readonly project: string,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<ArtifactApi> {
    const api = await startApi(settings);
    const events = new EventRecorder(api);
    const ada = await api.given.member();
    const ask = as(api, ada);
    await ask('POST', '/v1/projects', { name: 'loom' });
    return new ArtifactApi(api, events, ada, ask, `${ada.entity}/loom`);
  }

  get artifacts(): string {
    return `/v1/projects/${this.project}/artifacts`;
  }

  /** A new collection of models: its name and its path. */
  async collection(type = 'model'): Promise<{ name: string; path: string }> {
    const name = `agent-${++this.counter}`;
    await this.ask('POST', this.artifacts, { name, type });
    this.events.take();
    return { name, path: `${this.artifacts}/${name}` };
  }

  /** Creates a version at once. */
  version(collection: { path: string }, fields: object = {}): Promise<Answer> {
    return this.ask('POST', `${collection.path}/versions`, fields);
  }

  /** Begins a draft. @returns its path */
  async draft(collection: { path: string }, fields: object = {}): Promise<string> {
    const { body } = await this.ask('POST', `${collection.path}/drafts`, fields);
    return `${collection.path}/drafts/${String(body['id'])}`;
  }

  upload(
    draft: string,
    path: string,
    content: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const init = { method: 'PUT', headers: { ...this.ada.bearer, ...headers }, body: content };
    return fetch(`${this.api.url}${draft}/files/${path}`, init);
  }

  download(version: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.api.url}${version}/files/${path}`, { method, headers: { ...this.ada.bearer, ...headers } });
  }

  async close(): Promise<void> {
    await this.api.close();
    await rm(this.api.env.DATA_DIR, { recursive: true, force: true });
  }
}

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
