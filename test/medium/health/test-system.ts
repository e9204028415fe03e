import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { HealthModule } from '@heddle/health';
import { HttpModule } from '@heddle/http';
import { prepareQueues, type QueueName, QueuesModule } from '@heddle/queues';
import type { Queue } from 'bullmq';
import { createWorker } from '../../../apps/worker/src/create-worker.js';

@Module({})
class HealthOnlyApi {}

/** The API's health routes and, while it is wanted, a worker; both in this process. */
export class TestSystem {
  private constructor(
    readonly env: Env,
    readonly api: INestApplication,
    readonly url: string,
  ) {}

  private worker?: INestApplication;

  static async start(settings: Record<string, string>): Promise<TestSystem> {
    const env = Env.from({ NODE_ENV: 'test', LOG_LEVEL: 'silent', SYSTEM_CHECK_TIMEOUT_MS: '2000', ...settings });
    await prepareQueues(env);
    const imports = [
      ConfigModule.forRoot(env),
      DatabaseModule.forRoot('test'),
      QueuesModule.forRoot(),
      HttpModule,
      HealthModule,
    ];
    const options = { logger: false, abortOnError: false, bodyParser: false } as const;
    const api = await NestFactory.create({ module: HealthOnlyApi, imports }, options);
    await api.listen(0, '127.0.0.1');
    const { port } = (api.getHttpServer() as Server).address() as AddressInfo;
    return new TestSystem(env, api, `http://127.0.0.1:${port}`);
  }

  async startWorker(): Promise<INestApplication> {
    this.worker = await createWorker(this.env);
    return this.worker.init();
  }

  async stopWorker(): Promise<void> {
    await this.worker?.close();
    this.worker = undefined;
  }

  queue(name: QueueName): Queue {
    return this.api.get<Queue>(getQueueToken(name), { strict: false });
  }

  async get(path: string): Promise<{ status: number; headers: Headers; text: string; body: Record<string, unknown> }> {
    const response = await fetch(this.url + path);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }

  /** Asks again until the answer has this status: things that come back take a moment. */
  async until(path: string, status: number): Promise<Record<string, unknown>> {
    for (;;) {
      const answer = await this.get(path);
      if (answer.status === status) return answer.body;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.api.close();
  }
}
