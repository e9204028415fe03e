import { LRUCache } from 'lru-cache';
import type { RemoteAdapter } from './remote-adapter.js';
import { textOf } from './fields.js';
import type { TinkerService } from './tinker-service.js';
import { TinkerSession } from './tinker-session.js';

export interface SamplingSession {
  id: string;
  /** Of a request within the session. */
  nextSequence(): number;
}

/** Adapters that are ready to sample on the server; each takes a place there. */
const MOST = 4;

interface Opened {
  session: TinkerSession;
  sampling: Promise<SamplingSession>;
}

/** What samples of which adapter on a server, made when first needed; the least recently used go. */
export class SamplingSessions {
  private readonly opened = new LRUCache<string, Promise<Opened>>({
    max: MOST,
    dispose: (opened) => void opened.then(({ session }) => session.close()).catch(() => undefined),
  });

  constructor(
    private readonly service: TinkerService,
    private readonly baseModel: string,
  ) {}

  /** @throws EngineError */
  async of(adapter: RemoteAdapter | null): Promise<SamplingSession> {
    const key = adapter?.weights ?? '';
    let opened = this.opened.get(key);
    if (!opened) {
      opened = this.open(adapter);
      this.opened.set(key, opened);
      opened.then(({ sampling }) => sampling).catch(() => this.opened.delete(key));
    }
    return (await opened).sampling;
  }

  close(): void {
    this.opened.clear();
  }

  private async open(adapter: RemoteAdapter | null): Promise<Opened> {
    const session = await TinkerSession.open(this.service, this.baseModel);
    return { session, sampling: this.begin(session, adapter) };
  }

  private async begin(session: TinkerSession, adapter: RemoteAdapter | null): Promise<SamplingSession> {
    const source = adapter ? { model_path: await this.pathOf(session, adapter) } : { base_model: this.baseModel };
    const body = { type: 'create_sampling_session', session_id: session.id, sampling_session_seq_id: 0, ...source };
    const id = textOf(await this.service.post('create_sampling_session', body), 'sampling_session_id', 'sampling');
    let sequence = 0;
    return { id, nextSequence: () => sequence++ };
  }

  /**
   * SkyRL samples with the live model that the weights were saved from: with that of the job it would put old weights
   * in the place of those that are being trained, and after the job there is none. So the weights get a model of their own.
   */
  private async pathOf(session: TinkerSession, adapter: RemoteAdapter): Promise<string> {
    const { samplesFromLiveModels } = await this.service.traits();
    if (!samplesFromLiveModels && adapter.sampler !== null) return adapter.sampler;
    const model = await session.createModel(adapter.rank, 0);
    await model.load(adapter.weights);
    return model.saveForSampler(session.name('sample'));
  }
}
