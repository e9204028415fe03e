import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../protocol/engine.errors.js';
import type { TinkerService } from './tinker-service.js';
import { TinkerModel } from './tinker-model.js';

const HEARTBEAT_MS = 10_000;
/** How long a server is asked to free what a session took. */
const CLEANUP_MS = 60_000;
const FULL_WAIT_MS = 2_000;
/** How SkyRL says that all places for adapters are taken. */
const FULL = /maximum number of LoRA adapters/i;

/** What one job does on a server: models live as long as their session has a heartbeat. */
export class TinkerSession {
  private readonly models: TinkerModel[] = [];
  private readonly timer: NodeJS.Timeout;

  private constructor(
    readonly service: TinkerService,
    readonly id: string,
    private readonly baseModel: string,
    private readonly signal?: AbortSignal,
  ) {
    this.timer = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.timer.unref();
  }

  /** @throws EngineError */
  static async open(service: TinkerService, baseModel: string, signal?: AbortSignal): Promise<TinkerSession> {
    return new TinkerSession(service, await service.createSession(signal), baseModel, signal);
  }

  /**
   * A fresh adapter: its B is zero, so that it is the base model itself until it has learnt or loaded something. A server
   * that is full is waited for, as long as any operation may take.
   */
  async createModel(rank: number, seed: number): Promise<TinkerModel> {
    const until = performance.now() + this.service.timeoutMs;
    for (;;) {
      try {
        return await this.create(rank, seed);
      } catch (error) {
        if (!(error instanceof EngineError && FULL.test(error.message))) throw error;
        const full = `the trainer at ${this.service.host} has no room for another adapter`;
        if (performance.now() > until) throw new EngineError('unavailable', full);
      }
      await sleep(FULL_WAIT_MS, undefined, { signal: this.signal }).catch(() => undefined);
    }
  }

  private async create(rank: number, seed: number): Promise<TinkerModel> {
    const lora = { rank, seed: seed % 2 ** 31, train_mlp: true, train_attn: true, train_unembed: false };
    const model = await TinkerModel.create(this.service, {
      session: this.id,
      sequence: this.models.length,
      baseModel: this.baseModel,
      lora,
      signal: this.signal,
    });
    this.models.push(model);
    return model;
  }

  /** A name for weights that no other job uses. */
  name(what: string): string {
    return `heddle-${what}-${randomUUID().slice(0, 8)}`;
  }

  /** Frees what it took. It waits for nothing that a server may keep to itself: a session without heartbeats ends by itself. */
  close(): void {
    clearInterval(this.timer);
    const options = { patienceMs: CLEANUP_MS, timeoutMs: CLEANUP_MS };
    const ignored = (): void => undefined;
    for (const { id } of this.models) {
      this.service.post('unload_model', { type: 'unload_model', model_id: id }, options).catch(ignored);
    }
    const reason = { type: 'success' };
    this.service.post(`sessions/${this.id}/finish`, { reason }, options).catch(ignored);
  }

  /** A server that is away for a moment hears the next one. */
  private beat(): void {
    const body = { type: 'session_heartbeat', session_id: this.id };
    this.service.post('session_heartbeat', body, { patienceMs: 0, timeoutMs: HEARTBEAT_MS }).catch(() => undefined);
  }
}
