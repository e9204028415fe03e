import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bullmq';
import { Test } from '@nestjs/testing';
import { ENGINE } from '@heddle/base-models';
import { Env } from '@heddle/config';
import type { Engine } from '@heddle/engine';
import { type DomainEvent, DomainEventsService } from '@heddle/events';
import type { Queue } from 'bullmq';
import { createApi } from '../../../apps/api/src/create-api.js';
import { WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { TrainingRunner } from '../../../libs/training/src/running/training.runner.js';
import { TrainingWatchdogHandler } from '../../../libs/training/src/running/training-watchdog.handler.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Given, type GivenUser } from '../../support/given.js';
import { type Ask, as } from '../accounts/requests.js';
import { ScriptedEngine } from './scripted-engine.js';

export type Json = Record<string, unknown>;

export interface Event {
  id: string;
  type: string;
  data: Json;
}

/** Seconds are enough for whatever these tests wait for. */
const PATIENCE_MS = 20_000;

/** The API, workers as a test starts them, and a user with a project. */
export class TrainingSystem {
  readonly engine = new ScriptedEngine();
  /** Domain events that the workers publish. */
  readonly published: DomainEvent[] = [];
  private readonly workers: INestApplication[] = [];
  private counter = 0;

  private constructor(
    private readonly api: INestApplication,
    readonly env: Env,
    readonly database: TestDatabase,
    readonly given: Given,
    readonly ada: GivenUser & { entity: string },
  ) {}

  static async start(
    settings: Record<string, string> = {},
    given: TestDatabase | null = null,
  ): Promise<TrainingSystem> {
    const database = given ?? (await createDatabase());
    const env = Env.from({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: await mkdtemp(join(tmpdir(), 'heddle-training-')),
      LOG_LEVEL: 'silent',
      PORT: '0',
      DATABASE_POOL_SIZE: '8',
      AUTH_CACHE_SECONDS: '0',
      ...settings,
    });
    const api = await createApi(env);
    await api.listen(0, '127.0.0.1');
    const people = new Given(database.pool);
    return new TrainingSystem(api, env, database, people, await people.member());
  }

  get url(): string {
    const { port } = (this.api.getHttpServer() as Server).address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get ask(): Ask {
    return as(this, this.ada);
  }

  get queue(): Queue {
    return this.api.get<Queue>(getQueueToken('gpu'), { strict: false });
  }

  /** What `npm start` runs beside the API. @param engine null: the one that ships @param settings where it has its own */
  async startWorker(engine: Engine | null = this.engine, settings: Partial<Env> = {}): Promise<INestApplication> {
    const env = Object.assign(Env.from({}), this.env, settings);
    const testing = Test.createTestingModule({ imports: [WorkerModule.forRoot(env)] });
    if (engine) testing.overrideProvider(ENGINE).useValue(engine);
    const worker = (await testing.compile()).createNestApplication({ bodyParser: false, logger: false });
    worker.get(DomainEventsService, { strict: false }).subscribe(async (_manager, event) => {
      this.published.push(event);
    });
    this.workers.push(worker);
    return worker.init();
  }

  async stopWorker(worker: INestApplication): Promise<void> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    await worker.close();
  }

  /** What a worker does every few seconds. */
  async watch(worker: INestApplication): Promise<void> {
    await worker.get(TrainingWatchdogHandler, { strict: false }).handle();
  }

  /** What a wake-up does. */
  async runAll(worker: INestApplication): Promise<void> {
    await worker.get(TrainingRunner, { strict: false }).runAll();
  }

  /** Somebody who may only read in the project. */
  async viewer(): Promise<GivenUser> {
    const viewer = await this.given.member();
    const sql = `INSERT INTO project_members (project_id, user_id, role)
                 SELECT p.id, $2, 'viewer' FROM projects p JOIN teams t ON t.id = p.team_id WHERE t.name = $1`;
    await this.database.pool.query(sql, [this.ada.entity, viewer.id]);
    return viewer;
  }

  /** A new model; its id. */
  async model(fields: Json = {}): Promise<string> {
    const name = `model-${++this.counter}`;
    const body = { project: 'loom', name, base_model: this.engine.baseModels()[0]!.id, ...fields };
    const answer = await this.ask('POST', '/v1/preview/models', body);
    if (answer.status !== 200) throw new Error(`no model: ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  }

  /** Body of a job with so many groups, in each of which there is something to learn. */
  body(modelId: string, groups = 2, config: Json = { learning_rate: 1e-3, epsilon: null }): Json {
    const trajectory_groups = Array.from({ length: groups }, (_, i) => group(`question ${i}`, [0, 1]));
    return { model_id: modelId, trajectory_groups, experimental_config: config };
  }

  /** Creates a job; its id. */
  async train(modelId: string, groups = 2): Promise<string> {
    const answer = await this.ask('POST', '/v1/preview/training-jobs', this.body(modelId, groups));
    if (answer.status !== 200) throw new Error(`no job: ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  }

  async job(id: string): Promise<Json> {
    return (await this.ask('GET', `/v1/preview/training-jobs/${id}`)).body;
  }

  async events(id: string): Promise<Event[]> {
    const { body } = await this.ask('GET', `/v1/preview/training-jobs/${id}/events?limit=100`);
    return body['data'] as Event[];
  }

  async types(id: string): Promise<string[]> {
    return (await this.events(id)).map(({ type }) => type);
  }

  async steps(modelId: string): Promise<number[]> {
    const { body } = await this.ask('GET', `/v1/preview/models/${modelId}/checkpoints?limit=100`);
    return (body['data'] as { step: number }[]).map(({ step }) => step);
  }

  /** The metrics in the model's run, step by step. */
  async history(modelId: string): Promise<Json[]> {
    const { body: model } = await this.ask('GET', `/v1/preview/models/${modelId}`);
    const run = `/v1/projects/${this.ada.entity}/loom/runs/${String(model['run_name'])}`;
    return (await this.ask('GET', `${run}/history?limit=1000`)).body['data'] as Json[];
  }

  /** Digests of a checkpoint's files. */
  async weights(modelId: string, step: number): Promise<unknown[]> {
    const sql = `SELECT f.path, f.sha256 FROM artifact_files f JOIN checkpoints c USING (version_id)
                  WHERE c.model_id = $1 AND c.step = $2 ORDER BY f.path`;
    return (await this.database.pool.query(sql, [modelId, step])).rows;
  }

  /** Removes what a job was sent with, behind its back. */
  async loseFiles(jobId: string): Promise<void> {
    const { rows } = await this.database.pool.query<{ data: string }>('SELECT data FROM training_jobs WHERE id = $1', [
      jobId,
    ]);
    await rm(join(this.env.DATA_DIR, rows[0]!.data));
  }

  /** Waits until the job has ended. */
  async ended(id: string): Promise<Json> {
    return this.until(id, ({ state }) => state !== 'QUEUED' && state !== 'RUNNING');
  }

  async until(id: string, condition: (job: Json) => boolean): Promise<Json> {
    return eventually(() => this.job(id), condition, PATIENCE_MS);
  }

  /** Waits until so many events are there. */
  async untilEvents(id: string, count: number): Promise<void> {
    await eventually(
      () => this.events(id),
      (events) => events.length >= count,
      PATIENCE_MS,
    );
  }

  /** Waits until no worker trains any more, whatever became of the jobs. */
  async settled(): Promise<void> {
    const runners = this.workers.map((worker) => worker.get(TrainingRunner, { strict: false }));
    while (runners.some(({ running }) => running > 0)) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Makes the job's worker look dead for as long as nobody hears of it: at most a second. */
  async killWorkerOf(id: string): Promise<void> {
    const sql = `UPDATE training_jobs SET heartbeat_at = now() - interval '1 hour' WHERE id = $1 AND state = 'RUNNING'`;
    if ((await this.database.pool.query(sql, [id])).rowCount !== 1) throw new Error('the job does not run');
  }

  async close(): Promise<void> {
    this.engine.release();
    for (const worker of this.workers) await worker.close();
    await this.api.close();
    await this.database.drop();
    await rm(this.env.DATA_DIR, { recursive: true, force: true });
  }
}

/** A group of one-word answers with these rewards. */
export function group(question: string, rewards: number[]): Json {
  return {
    trajectories: rewards.map((reward, i) => ({
      messages_and_choices: [{ role: 'user', content: question }, choice(i)],
      reward,
      metadata: { anything: [question] },
    })),
    exceptions: [],
  };
}

export const choice = (token: number, logprob = -1): Json => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: `word ${token}` },
  logprobs: { content: [{ token: `token_id:${token}`, logprob, bytes: null, top_logprobs: [] }] },
});
