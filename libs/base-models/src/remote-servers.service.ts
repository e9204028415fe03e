import { Inject, Injectable } from '@nestjs/common';
import { EngineError, type RemoteServerCheck } from '@heddle/engine';
import type { GrowingEngine } from './create-engine.js';
import { ENGINE } from './engine.token.js';

/** How a server on another machine was when it was last asked. */
export interface RemoteServerState extends Pick<RemoteServerCheck, 'kind' | 'host' | 'baseModel'> {
  isUp: boolean;
  /** Why it isn't up, with its host: for those who may use the base model. */
  reason: string | null;
  /** The same without a host: for everybody. */
  publicReason: 'not reachable' | 'refuses the key or has not the model' | null;
  /** Seconds until it answered, or was given up. */
  duration: number;
}

/** An answer is good for so long: anybody may ask for health, as often as he likes. */
const KEPT_MS = 10_000;
const TIMEOUT_MS = 3000;

/** Whether the trainers and inference servers that base models name would do their work now. */
@Injectable()
export class RemoteServersService {
  private asked: { at: number; states: Promise<RemoteServerState[]> } | null = null;

  constructor(@Inject(ENGINE) private readonly engine: Pick<GrowingEngine, 'servers'>) {}

  /** Of a moment ago at the latest; never takes longer than 2 questions of {@link TIMEOUT_MS}. */
  states(): Promise<RemoteServerState[]> {
    if (!this.asked || performance.now() - this.asked.at > KEPT_MS) void this.askNow();
    return this.asked!.states;
  }

  /** Of this moment. */
  askNow(timeoutMs = TIMEOUT_MS): Promise<RemoteServerState[]> {
    const states = Promise.all(this.engine.servers().map((server) => stateOf(server, timeoutMs)));
    this.asked = { at: performance.now(), states };
    return states;
  }
}

async function stateOf(server: RemoteServerCheck, timeoutMs: number): Promise<RemoteServerState> {
  const { kind, host, baseModel } = server;
  const begun = performance.now();
  const error = await server.ask(timeoutMs).then(
    () => null,
    (reason: unknown) => reason,
  );
  const duration = (performance.now() - begun) / 1000;
  const state = { kind, host, baseModel, isUp: error === null, duration };
  if (error === null) return { ...state, reason: null, publicReason: null };
  if (!(error instanceof EngineError)) throw error;
  const publicReason = error.code === 'unavailable' ? 'not reachable' : 'refuses the key or has not the model';
  return { ...state, reason: error.message, publicReason };
}
