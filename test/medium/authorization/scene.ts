import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';

export type Json = Record<string, unknown>;

/** Everybody who may come, from the one who may least. What is granted is granted in the project and in the registry. */
export const ROLES = [
  'nobody',
  'wrong key',
  'other team',
  'granted viewer',
  'granted member',
  'granted admin',
  'team viewer',
  'team member',
  'team admin',
  'instance admin',
] as const;
export type Role = (typeof ROLES)[number];

const WRONG_KEY = { authorization: `Bearer hd_${'x'.repeat(43)}` };

/**
 * A team `weavers` with a project `loom` and a registry `releases`, some of everything in them, and somebody in each role.
 * Builders of requests make here what their request uses up.
 */
export class Scene {
  /** What path parameters stand for. */
  readonly names: Record<string, string> = {};
  private counter = 0;

  private constructor(
    readonly api: TestApi,
    private readonly directory: string,
    private readonly people: Partial<Record<Role, GivenUser>>,
    /** Somebody whom nobody minds; in the team, but not of its administrators. */
    readonly bystander: GivenUser,
  ) {}

  static async start(): Promise<Scene> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-authorization-'));
    const api = await startApi({
      DATA_DIR: directory,
      ENGINE_THREADS: '1',
      SYSTEM_CHECK_TIMEOUT_MS: '100',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    const { given } = api;
    const { id } = await given.team('weavers');
    const elsewhere = await given.team('others');
    const people: Partial<Record<Role, GivenUser>> = {
      'other team': await given.user({ teams: [{ ...elsewhere, role: 'admin' }] }),
      'granted viewer': await given.user(),
      'granted member': await given.user(),
      'granted admin': await given.user(),
      'team viewer': await given.user(),
      'team member': await given.user({ teams: [{ id }] }),
      'team admin': await given.user({ teams: [{ id, role: 'admin' }] }),
      'instance admin': await given.user({ isAdmin: true }),
    };
    const scene = new Scene(api, directory, people, await given.user({ teams: [{ id }] }));
    await scene.furnish();
    return scene;
  }

  /** Null for who has no key that counts. */
  person(role: Role): GivenUser | null {
    return this.people[role] ?? null;
  }

  /** Every route takes a key either way: who was granted a role sends it as a password, the others as a token. */
  headers(role: Role): Record<string, string> {
    if (role === 'wrong key') return WRONG_KEY;
    const person = this.person(role);
    return { ...(role.startsWith('granted') ? person?.basic : person?.bearer) };
  }

  /** A name that nothing has yet. */
  fresh(prefix: string): string {
    return `${prefix}-${++this.counter}`;
  }

  /** As the team's administrator, who succeeds. @returns the answer's body */
  make(method: string, path: string, body?: unknown): Promise<Json> {
    return this.succeed('team admin', method, path, body);
  }

  /** As an administrator of the instance. */
  administer(method: string, path: string, body?: unknown): Promise<Json> {
    return this.succeed('instance admin', method, path, body);
  }

  private async succeed(role: Role, method: string, path: string, body?: unknown): Promise<Json> {
    const sent = body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) };
    const response = await fetch(this.api.url + path, { method, headers: this.headers(role), ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  }

  /** Makes a new thing of a list, and says where it is. @param body gets the name */
  async makeAt(list: string, body: Json, by: 'id' | 'name' = 'id'): Promise<string> {
    return `${list}/${String((await this.make('POST', list, body))[by])}`;
  }

  private async furnish(): Promise<void> {
    const { names } = this;
    const project = '/v1/projects/weavers/loom';
    Object.assign(names, { team: 'weavers', entity: 'weavers', project: 'loom', registry: 'releases' });
    Object.assign(names, { username: this.bystander.username, model: 'heddle/shuttle-1m', path: 'notes.txt' });
    await this.make('POST', '/v1/projects', { entity: 'weavers', name: 'loom' });
    await this.make('POST', '/v1/registries', { entity: 'weavers', name: 'releases' });
    for (const [place, role] of [
      ['projects/weavers/loom', 'viewer'],
      ['projects/weavers/loom', 'member'],
      ['projects/weavers/loom', 'admin'],
      ['registries/weavers/releases', 'viewer'],
      ['registries/weavers/releases', 'member'],
      ['registries/weavers/releases', 'admin'],
    ] as const) {
      const { username } = this.person(`granted ${role}`)!;
      await this.make('PUT', `/v1/${place}/members/${username}`, { role });
    }
    await this.make('PUT', `/v1/teams/weavers/members/${this.person('team viewer')!.username}`, { role: 'viewer' });

    await this.make('POST', `${project}/artifacts`, { name: 'agents', type: 'model' });
    const files = [{ path: 'notes.txt', content: Buffer.from('woven').toString('base64') }];
    await this.make('POST', `${project}/artifacts/agents/versions`, { files });
    await this.make('POST', '/v1/registries/weavers/releases/collections', { name: 'agents', type: 'model' });
    await this.make('POST', '/v1/registries/weavers/releases/collections/agents/versions', {
      artifact: 'weavers/loom/agents:v0',
    });
    const run = await this.make('POST', `${project}/runs`, { name: 'r1' });
    await this.make('POST', `${project}/runs/r1/history`, { points: [{ step: 0, metrics: { loss: 1 } }] });
    const model = await this.make('POST', '/v1/preview/models', {
      entity: 'weavers',
      project: 'loom',
      name: 'agent',
      base_model: 'heddle/shuttle-1m',
    });
    Object.assign(names, {
      collection: 'agents',
      version: 'v0',
      run: String(run['name']),
      model_id: String(model['id']),
    });
  }

  async close(): Promise<void> {
    await this.api.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
