import type { GivenUser } from '../../support/given.js';
import { type Answer, type Ask, as } from '../accounts/requests.js';
import { EventRecorder } from '../../support/events.js';
import { startApi, type TestApi } from '../../support/api.js';

/** A team with a project of artifacts and a registry; its administrator, a member, and somebody of another team. */
export class RegistryApi {
  private counter = 0;

  private constructor(
    readonly api: TestApi,
    readonly events: EventRecorder,
    readonly team: { id: string; name: string },
    readonly admin: GivenUser,
    readonly member: GivenUser,
    readonly outsider: GivenUser,
  ) {}

  static async start(): Promise<RegistryApi> {
    const api = await startApi();
    const events = new EventRecorder(api);
    const team = await api.given.team();
    const admin = await api.given.user({ teams: [{ id: team.id, role: 'admin' }] });
    const member = await api.given.user({ teams: [team] });
    const outsider = await api.given.member();
    const t = new RegistryApi(api, events, team, admin, member, outsider);
    await t.ask('POST', '/v1/projects', { entity: team.name, name: 'loom' });
    return t;
  }

  /** As the administrator. */
  get ask(): Ask {
    return as(this.api, this.admin);
  }

  as(user: GivenUser): Ask {
    return as(this.api, user);
  }

  get project(): string {
    return `${this.team.name}/loom`;
  }

  /** A new registry with one collection of models: their paths. */
  async registry(): Promise<{ name: string; path: string; collection: string }> {
    const name = `registry-${++this.counter}`;
    await this.ask('POST', '/v1/registries', { entity: this.team.name, name });
    const path = `/v1/registries/${this.team.name}/${name}`;
    await this.ask('POST', `${path}/collections`, { name: 'agents', type: 'model' });
    this.events.take();
    return { name, path, collection: `${path}/collections/agents` };
  }

  /** A new version in a new collection of the project. */
  async artifact(type = 'model', metadata: object = {}): Promise<{ ref: string; id: string; path: string }> {
    const name = `agent-${++this.counter}`;
    const artifacts = `/v1/projects/${this.project}/artifacts`;
    await this.ask('POST', artifacts, { name, type });
    const { body } = await this.ask('POST', `${artifacts}/${name}/versions`, { metadata });
    this.events.take();
    return { ref: `${this.project}/${name}:v0`, id: String(body['id']), path: `${artifacts}/${name}/versions/v0` };
  }

  link(collection: string, artifact: string, ask = this.ask): Promise<Answer> {
    return ask('POST', `${collection}/versions`, { artifact });
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
