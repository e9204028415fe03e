import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '@heddle/config';
import { EngineError } from '@heddle/engine';
import { BaseModelStates, pendingOf } from './base-model-states.js';
import type { GrowingEngine } from './create-engine.js';
import type { BaseModelEntry } from './file/base-model-entry.js';
import { requireDirectory } from './file/require-directory.js';
import type { DownloadStatus } from './hub/download-status.js';
import { folderOf, hubOf } from './hub/hub-places.js';
import { HubModelWatch } from './hub/hub-model-watch.js';
import type { ModelFolder } from './hub/model-folder.js';

/** Gives the engine the base models of the user's own: directories and what is on this disk at once, the rest when it has come. */
export class BaseModelSupplyService implements OnApplicationShutdown {
  readonly states: BaseModelStates;
  private readonly logger = new Logger('BaseModels');
  private readonly ending = new AbortController();
  private readonly folders = new Map<string, ModelFolder>();
  private readonly watches: Promise<void>[] = [];

  private constructor(
    private readonly engine: GrowingEngine,
    private readonly env: Env,
  ) {
    this.states = new BaseModelStates(() => engine.baseModels());
  }

  /** What a base model lacks stops none of the others. Nothing is waited for that comes over a network. */
  static async open(
    engine: GrowingEngine,
    entries: readonly BaseModelEntry[],
    env: Env,
  ): Promise<BaseModelSupplyService> {
    const supply = new BaseModelSupplyService(engine, env);
    for (const entry of entries) {
      if (entry.directory === null) await supply.addFromHub(entry);
      else await supply.add(entry, entry.directory);
    }
    return supply;
  }

  /** Downloads end, and go on at the next start. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.watches);
  }

  async diagnose(id: string, error: unknown): Promise<unknown> {
    const folder = this.folders.get(id);
    if (!folder || !(error instanceof EngineError) || error.code !== 'bad_model') return error;
    const found = await folder.inspect();
    if (found === 'whole') return error;
    const what = found === 'missing' ? 'its files are gone' : `${found.damaged.join(', ')} is not as it was downloaded`;
    return new EngineError('bad_model', `${id}: ${what}; \`npm run models -- pull ${id}\` mends it`);
  }

  private async addFromHub(entry: BaseModelEntry): Promise<void> {
    const folder = folderOf(this.env, entry);
    this.folders.set(entry.id, folder);
    const watch = new HubModelWatch(hubOf(this.env), folder, (status) => this.note(entry.id, status));
    this.states.set(entry.id, { state: 'downloading', progress: null, reason: null });
    if (await watch.isWholeByLook()) return this.add(entry, folder.path);
    this.watches.push(this.bring(watch, entry, folder));
  }

  private async bring(watch: HubModelWatch, entry: BaseModelEntry, folder: ModelFolder): Promise<void> {
    try {
      await watch.untilWhole(this.ending.signal);
      await this.add(entry, folder.path);
      this.logger.log({ baseModel: entry.id }, 'base model downloaded');
    } catch (err) {
      if (!this.ending.signal.aborted) this.logger.error({ err, baseModel: entry.id }, 'base model given up');
    }
  }

  private async add({ id, lora, trainer, inference }: BaseModelEntry, directory: string): Promise<void> {
    try {
      await requireDirectory(directory);
      await this.engine.add({ id, directory, lora, trainer, inference });
      this.states.settle(id);
    } catch (error) {
      if (!(error instanceof EngineError)) this.logger.error({ err: error, baseModel: id }, 'base model not read');
      this.fail(id, error instanceof EngineError ? error.message : 'it could not be read: the log says why');
    }
  }

  private note(id: string, status: DownloadStatus): void {
    if (status.state === 'failed') return this.fail(id, status.reason);
    this.states.set(id, pendingOf(status));
  }

  /** Said once for each reason, not at each look. */
  private fail(id: string, reason: string): void {
    if (this.states.get(id)?.reason !== reason) this.logger.warn({ baseModel: id, reason }, "base model can't be used");
    this.states.set(id, { state: 'failed', progress: null, reason });
  }
}
