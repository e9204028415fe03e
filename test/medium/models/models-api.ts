import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckpointWriter, ModelsRepository } from '@heddle/models';
import type { Checkpoint } from '@heddle/database';
import { startApi, type TestApi } from '../../support/api.js';
import { EventRecorder } from '../../support/events.js';
import type { GivenUser } from '../../support/given.js';
import { type Answer, type Ask, as } from '../accounts/requests.js';

export const BASE_MODEL = 'heddle/shuttle-1m';
export const MODELS = '/v1/preview/models';

/** A team with a member on an API of its own, and models in the project `loom`. */
export class ModelsApi {
  private counter = 0;

  private constructor(
    readonly api: TestApi,
    readonly events: EventRecorder,
    readonly ada: GivenUser & { entity: string },
    readonly ask: Ask,
  ) {}

  static async start(): Promise<ModelsApi> {
    const api = await startApi();
    const ada = await api.given.member();
    return new ModelsApi(api, new EventRecorder(api), ada, as(api, ada));
  }

  get project(): string {
    return `/v1/projects/${this.ada.entity}/loom`;
  }

  register(fields: object = {}): Promise<Answer> {
    return this.ask('POST', MODELS, { entity: null, project: 'loom', base_model: BASE_MODEL, ...fields });
  }

  /** A new model: its id, name and path. */
  async model(): Promise<{ id: string; name: string; path: string }> {
    const name = `agent-${++this.counter}`;
    const { body } = await this.register({ name });
    this.events.take();
    return { id: String(body['id']), name, path: `${MODELS}/${String(body['id'])}` };
  }

  /** What a trainer leaves: the directory of an adapter. */
  async adapter(content = randomUUID()): Promise<string> {
    const directory = join(this.api.env.DATA_DIR, 'work', randomUUID());
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'adapter_config.json'), '{}');
    await writeFile(join(directory, 'adapter_model.safetensors'), `weights ${content}`);
    await writeFile(join(directory, 'optimizer.safetensors'), `state ${content}`);
    return directory;
  }

  /** Makes a checkpoint as a worker does. */
  async checkpoint(
    model: { id: string },
    metrics: Record<string, number> = {},
    jobId: string | null = null,
  ): Promise<Checkpoint> {
    const ref = (await this.api.provider(ModelsRepository).findById(model.id))!;
    const actor = { userId: this.ada.id, username: this.ada.username };
    return this.api.provider(CheckpointWriter).write({ ref, actor, jobId, metrics }, await this.adapter());
  }

  /** A training job, as the training routes leave it. */
  async job(
    model: { id: string },
    fields: { state: string; from_step?: number; data?: string; config?: object },
  ): Promise<string> {
    const { rows } = await this.api.database.pool.query<{ id: string }>(
      `INSERT INTO training_jobs (model_id, kind, state, config, data, from_step, created_by_id, created_by)
       VALUES ($1, 'rl', $2, $7, $3, $4, $5, $6) RETURNING id`,
      [
        model.id,
        fields.state,
        fields.data ?? `trajectories/${randomUUID()}.jsonl`,
        fields.from_step,
        this.ada.id,
        'ada',
        JSON.stringify(fields.config ?? {}),
      ],
    );
    return rows[0]!.id;
  }

  async close(): Promise<void> {
    await this.api.close();
    await rm(this.api.env.DATA_DIR, { recursive: true, force: true });
  }
}

/** Groups of trajectories with these rewards. */
export const groups = (...rewards: number[][]): object[] =>
  rewards.map((each) => ({
    trajectories: each.map((reward) => ({ messages_and_choices: [{ role: 'user', content: 'hi' }], reward })),
  }));
