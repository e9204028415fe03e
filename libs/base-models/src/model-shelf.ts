import type { Env } from '@heddle/config';
import { type BaseModelEntry, DEFAULT_REVISION } from './file/base-model-entry.js';
import { readBaseModels } from './file/base-models-file.js';
import { isHubId } from './file/entry-reader.js';
import { requireDirectory } from './file/require-directory.js';
import { createEngine } from './create-engine.js';
import { DownloadLock } from './hub/download-lock.js';
import { type DownloadStatus, StatusFile } from './hub/download-status.js';
import { folderOf, hubOf } from './hub/hub-places.js';
import { type KeptState, stateOnDisk } from './hub/kept-state.js';
import { ModelPuller } from './hub/model-puller.js';

/** What is asked of the shelf can't be; the message is for its user. */
export class ModelShelfError extends Error {
  readonly code = 'model_shelf';
}

export interface KeptModel extends KeptState {
  id: string;
  source: string;
}

const POLL_MS = 1000;

/** The base models on this disk, looked after by hand: without a database, and beside processes that serve from it. */
export class ModelShelf {
  private readonly entries: readonly BaseModelEntry[];

  /** @throws InvalidBaseModelsFileError */
  constructor(private readonly env: Env) {
    this.entries = readBaseModels(env);
  }

  /** The shipped ones and those of the file, in its order. */
  async list(): Promise<KeptModel[]> {
    const engine = await createEngine(this.env);
    const shipped = engine.baseModels().map(({ id }) => id);
    const models = shipped.map((id): KeptModel => ({ id, state: 'ready', bytes: null, source: 'ships with Heddle' }));
    for (const entry of this.entries) {
      const { id, revision, directory } = entry;
      const source = directory ?? `hub${revision === DEFAULT_REVISION ? '' : ` (${revision})`}`;
      const kept = directory === null ? await stateOnDisk(folderOf(this.env, entry)) : { state: 'ready', bytes: null };
      const path = directory ?? folderOf(this.env, entry).path;
      const read = () => requireDirectory(path).then(() => engine.add({ ...entry, directory: path }));
      const fault = kept.state === 'ready' ? await read().then(() => null, messageOf) : null;
      models.push({ id, source, ...kept, ...(fault === null ? {} : { state: `failed: ${fault}` }) });
    }
    await engine.close();
    return models;
  }

  /**
   * Downloads a model of the hub, or checks and mends one that is there; waits for a process that is at it.
   * @throws ModelShelfError | HubFailure | the signal's reason
   */
  async pull(id: string, onStatus: (status: DownloadStatus) => void, signal: AbortSignal): Promise<void> {
    const folder = folderOf(this.env, this.fromHub(id));
    const hub = hubOf(this.env);
    if (!hub) throw new ModelShelfError('HF_HUB_OFFLINE is set: nothing can be downloaded');
    await folder.make();
    const lock = await new DownloadLock(folder.path).untilTaken(new StatusFile(folder.path), onStatus, POLL_MS, signal);
    try {
      await new ModelPuller(hub, folder, onStatus).pull(lock, signal);
    } finally {
      await lock.release();
    }
  }

  /** Of every revision. What a running process has loaded it goes on using. @throws ModelShelfError */
  async remove(id: string): Promise<void> {
    const folder = folderOf(this.env, this.fromHub(id));
    if (!(await folder.exists())) throw new ModelShelfError(`${id} has not been downloaded`);
    // A revision of which nothing is there has no lock.
    for (const one of await folder.revisions()) {
      if (await new DownloadLock(one.path).isHeld())
        throw new ModelShelfError(`${id} is being downloaded at this moment`);
    }
    await folder.remove();
  }

  /** Whether the file names it, so that it will serve. */
  isNamed(id: string): boolean {
    return this.entries.some((entry) => entry.id === id);
  }

  private fromHub(id: string): Pick<BaseModelEntry, 'id' | 'revision'> {
    const entry = this.entries.find((one) => one.id === id);
    if (entry?.directory != null) throw new ModelShelfError(`${id} is a directory of yours: ${entry.directory}`);
    if (!isHubId(id)) throw new ModelShelfError(`'${id}' is no name of a model on the hub, as in Qwen/Qwen3-0.6B`);
    return entry ?? { id, revision: DEFAULT_REVISION };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
