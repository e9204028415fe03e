import { basename, join } from 'node:path';
import { EngineError } from '../../protocol/engine.errors.js';
import type { InferenceSource } from '../../protocol/engine.js';
import type { RemoteHttp } from '../remote-http.js';

interface Loaded {
  ready: Promise<void>;
  users: number;
}

/** Adapters that one server has loaded, by the names that it knows them by; the least recently used go beyond its room. */
export class UpstreamAdapters {
  /** In the order of their last use. */
  private readonly loaded = new Map<string, Loaded>();

  constructor(
    private readonly http: RemoteHttp,
    private readonly source: Pick<InferenceSource, 'adaptersPath' | 'maxAdapters'>,
  ) {}

  /** Uses an adapter, which is loaded where it isn't; it stays until the use is over. @throws EngineError */
  async use(directory: string): Promise<{ name: string; release: () => void }> {
    const name = basename(directory);
    let adapter = this.loaded.get(name);
    if (adapter) this.loaded.delete(name);
    else {
      await this.makeRoom();
      adapter = this.loaded.get(name) ?? { ready: this.load(name, directory), users: 0 };
    }
    this.loaded.set(name, adapter);
    adapter.users += 1;
    const used = adapter;
    const release = (): void => void (used.users -= 1);
    try {
      await used.ready;
      return { name, release };
    } catch (error) {
      release();
      this.forget(name, used);
      throw error;
    }
  }

  /** A server that was started anew has none of them. */
  forget(name: string, adapter = this.loaded.get(name)): void {
    if (adapter && this.loaded.get(name) === adapter) this.loaded.delete(name);
  }

  private async load(name: string, directory: string): Promise<void> {
    const { adaptersPath } = this.source;
    const path = adaptersPath === undefined ? directory : join(adaptersPath, name);
    // One that it has already, from before a restart of ours, is as good.
    const accept = [400];
    const body = { lora_name: name, lora_path: path };
    const options = { body, accept, patienceMs: 0 };
    const refusal = await this.http.ask('POST', 'v1/load_lora_adapter', options, (answer) =>
      answer.ok ? '' : answer.text(),
    );
    if (refusal === '' || /already been loaded|already loaded/i.test(refusal)) return;
    throw new EngineError(
      'bad_answer',
      `the inference server at ${this.http.host} can't load it: ${refusal.slice(0, 500)}`,
    );
  }

  private async makeRoom(): Promise<void> {
    for (const [name, { users }] of this.loaded) {
      if (this.loaded.size < this.source.maxAdapters) return;
      if (users > 0) continue;
      this.loaded.delete(name);
      // What it has forgotten by itself is gone as well.
      const options = { body: { lora_name: name }, accept: [400, 404], patienceMs: 0 };
      await this.http.ask('POST', 'v1/unload_lora_adapter', options, () => undefined);
    }
  }
}
