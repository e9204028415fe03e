import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplication, Module } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bullmq';
import { getDataSourceToken } from '@nestjs/typeorm';
import { Test } from '@nestjs/testing';
import {
  AutomationDeliveryModule,
  Clock,
  DeliveryPump,
  PlannedTimesService,
  PruneHistoryHandler,
} from '@heddle/automations';
import { Env } from '@heddle/config';
import { type DomainEvent, DomainEventsService } from '@heddle/events';
import type { Queue } from 'bullmq';
import type { DataSource, EntityManager } from 'typeorm';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { createWorker } from '../../../apps/worker/src/create-worker.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { Given, type GivenUser } from '../../support/given.js';
import { type Ask, as } from '../accounts/requests.js';
import { type ReceivedRequest, Receiver } from '../../support/receiver.js';
import { FakeClock } from './fake-clock.js';

type Json = Record<string, unknown>;

export interface GivenAutomation {
  id: string;
  path: string;
  webhookId: string;
}

const SETTINGS = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  PORT: '0',
  DATABASE_POOL_SIZE: '8',
  AUTH_CACHE_SECONDS: '0',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
  WEBHOOK_RETRY_JITTER: '0',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

@Module({})
class ApiWithDeliveries {
  static forRoot(env: Env) {
    return { module: ApiWithDeliveries, imports: [ApiModule.forRoot(env), AutomationDeliveryModule] };
  }
}

type GivenFields = Json & { eventType?: string; filter?: Json; payload?: unknown; webhookId?: string };

/** The API and the deliveries in one process, by a clock that the test moves; a team with a project and a registry. */
export class AutomationsSystem {
  private counter = 0;
  private readonly receivers: Receiver[] = [];
  private readonly workers: INestApplication[] = [];

  private constructor(
    private app: INestApplication,
    private readonly env: Env,
    readonly database: TestDatabase,
    readonly given: Given,
    readonly clock: FakeClock,
    readonly team: { id: string; name: string },
    readonly admin: GivenUser,
  ) {}

  /**
   * @param delivers whether deliveries run in this process, by the test's clock; otherwise start workers
   * @param ownDatabase a migrated one, instead of one on the run's server; it is dropped at the end all the same
   */
  static async start(
    settings: Record<string, string> = {},
    delivers = true,
    ownDatabase?: TestDatabase,
  ): Promise<AutomationsSystem> {
    const database = ownDatabase ?? (await createDatabase());
    const dataDir = join(tmpdir(), `heddle-test-data-${process.pid}`);
    const env = Env.from({ ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings });
    const clock = new FakeClock();
    const given = new Given(database.pool);
    const team = await given.team();
    const admin = await given.user({ teams: [{ id: team.id, role: 'admin' }] });
    const system = new AutomationsSystem(
      await startApp(env, delivers ? clock : new Clock(), delivers),
      env,
      database,
      given,
      clock,
      team,
      admin,
    );
    await system.ask('POST', '/v1/projects', { entity: team.name, name: 'loom' });
    await system.ask('POST', '/v1/registries', { entity: team.name, name: 'releases' });
    return system;
  }

  get url(): string {
    const { port } = (this.app.getHttpServer() as Server).address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Ends the process, as far as a test can, and starts another one. */
  async restart(): Promise<void> {
    await this.app.close();
    this.app = await startApp(this.env, this.clock, true);
  }

  /** What `npm start` runs beside the API, by the real clock. */
  async startWorker(): Promise<INestApplication> {
    const worker = await createWorker(this.env);
    this.workers.push(worker);
    return worker.init();
  }

  /** The queue in which deliveries are announced. */
  get queue(): Queue {
    return this.app.get<Queue>(getQueueToken('webhooks'), { strict: false });
  }

  /** As the team's administrator. */
  get ask(): Ask {
    return this.as(this.admin);
  }

  as(user: GivenUser): Ask {
    return as(this, user);
  }

  get pump(): DeliveryPump {
    return this.app.get(DeliveryPump, { strict: false });
  }

  get project(): string {
    return `${this.team.name}/loom`;
  }

  get registry(): string {
    return `${this.team.name}/releases`;
  }

  /** Somebody's endpoint; it answers 204 if not told otherwise. */
  async receiver(answer?: (response: ServerResponse, request: ReceivedRequest) => void): Promise<Receiver> {
    const receiver = await Receiver.start(answer);
    this.receivers.push(receiver);
    return receiver;
  }

  async webhook(port: number, fields: Json = {}): Promise<string> {
    const name = `webhook-${++this.counter}`;
    const body = { name, url_endpoint: `http://127.0.0.1:${port}/`, ...fields };
    return String((await this.ask('POST', `/v1/teams/${this.team.name}/webhooks`, body)).body['id']);
  }

  /** Body of a request that creates an automation. */
  automationBody(fields: Json = {}, eventType = 'ADD_ARTIFACT_ALIAS', filter: Json = { alias_regex: 'prod' }): Json {
    return {
      name: `automation-${++this.counter}`,
      scope: { scope_type: 'PROJECT', scope_id: this.project },
      event: { event_type: eventType, filter },
      ...fields,
    };
  }

  /** One that sends to a receiver. */
  async automation(
    receiver: Receiver,
    { eventType, filter, payload, webhookId: given, ...fields }: GivenFields = {},
  ): Promise<GivenAutomation> {
    const webhookId = given ?? (await this.webhook(receiver.port));
    const action = { team: this.team.name, webhook_id: webhookId, request_payload: payload };
    const answer = await this.ask(
      'POST',
      '/v1/automations',
      this.automationBody({ action, ...fields }, eventType, filter),
    );
    if (answer.status !== 201) throw new Error(`no automation: ${JSON.stringify(answer.body)}`);
    const id = String(answer.body['id']);
    return { id, path: `/v1/automations/${id}`, webhookId };
  }

  /** Lets something happen, in a transaction with whatever else is to be done in it. */
  async publish(
    event: DomainEvent,
    alongside: (manager: EntityManager) => Promise<void> = async () => {},
  ): Promise<void> {
    const source = this.app.get<DataSource>(getDataSourceToken(), { strict: false });
    await source.transaction(async (manager) => {
      await this.app.get(DomainEventsService, { strict: false }).publish(manager, event);
      await alongside(manager);
    });
  }

  async placeOfProject(): Promise<DomainEvent['place']> {
    const { rows } = await this.database.pool.query<{ id: number }>('SELECT id FROM projects WHERE team_id = $1', [
      this.team.id,
    ]);
    return { teamId: this.team.id, entity: this.team.name, project: { id: rows[0]!.id, name: 'loom' }, registry: null };
  }

  async placeOfRegistry(): Promise<DomainEvent['place']> {
    const { rows } = await this.database.pool.query<{ id: string }>('SELECT id FROM registries WHERE team_id = $1', [
      this.team.id,
    ]);
    return {
      teamId: this.team.id,
      entity: this.team.name,
      project: null,
      registry: { id: rows[0]!.id, name: 'releases' },
    };
  }

  get actor(): { userId: string; username: string } {
    return { userId: this.admin.id, username: this.admin.username };
  }

  /** An alias that is put on a version in the project. */
  async aliasEvent(alias = 'production', collection = 'chat-model'): Promise<DomainEvent> {
    const ref = `${this.project}/${collection}:v3`;
    return {
      type: 'ADD_ARTIFACT_ALIAS',
      actor: this.actor,
      place: await this.placeOfProject(),
      alias,
      collection: { id: randomUUID(), name: collection, type: 'model' },
      version: { id: randomUUID(), index: 3, ref, source: ref, metadata: { accuracy: 0.93 } },
    };
  }

  /** Delivers what is due by the clock. */
  async deliver(): Promise<void> {
    await this.pump.wake();
    await this.pump.settle();
  }

  /** What the worker does every minute. */
  async lookAtPlannedTimes(): Promise<void> {
    await this.app.get(PlannedTimesService, { strict: false }).look();
  }

  /** What the worker does every hour. */
  async prune(): Promise<void> {
    await this.app.get(PruneHistoryHandler, { strict: false }).handle();
  }

  async executions(automation: GivenAutomation): Promise<Json[]> {
    return ((await this.ask('GET', `${automation.path}/executions?limit=100`)).body as { data: Json[] }).data;
  }

  async attempts(executionId: unknown): Promise<Json[]> {
    return ((await this.ask('GET', `/v1/executions/${String(executionId)}/attempts`)).body as { data: Json[] }).data;
  }

  async webhookState(id: string): Promise<Json> {
    return (await this.ask('GET', `/v1/teams/${this.team.name}/webhooks/${id}`)).body as Json;
  }

  async close(): Promise<void> {
    for (const worker of this.workers) await worker.close();
    await this.app.close();
    for (const receiver of this.receivers) await receiver.close();
    await this.database.drop();
  }
}

async function startApp(env: Env, clock: Clock, delivers: boolean): Promise<INestApplication> {
  const imports = [delivers ? ApiWithDeliveries.forRoot(env) : ApiModule.forRoot(env)];
  const testing = Test.createTestingModule({ imports });
  const app = (await testing.overrideProvider(Clock).useValue(clock).compile()).createNestApplication({
    bodyParser: false,
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  return app;
}
