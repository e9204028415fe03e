import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Env } from '@heddle/config';
import type { AttemptRecord } from './attempt-record.js';
import { AttemptRecordsRepository, nextAttemptAt } from './attempt-records.repository.js';
import { Clock } from './clock.js';
import type { DeliveryLane } from './delivery-lane.js';
import { DeliveryRelay } from './delivery.relay.js';
import type { DueExecution } from './due-execution.js';
import { DueExecutionsRepository } from './due-executions.repository.js';
import { ExecutionSender } from './execution.sender.js';
import { OwnedLanesService } from './owned-lanes.service.js';
import { mayStart } from './slot-limits.js';
import { TeamSlots } from './team-slots.js';
import { WebhookHealthService } from './webhook-health.service.js';

/** What a lane has ready beside what is in flight, so that a slot that gets free is filled at once. */
const QUEUE_PER_LANE = 80;
/** What all lanes have ready; an event with its metadata may have hundreds of kilobytes. */
const QUEUED = 1000;
/** Attempts that end within so many milliseconds are written down together; */
const GATHER_MS = 25;
/** within so many if their lane is about to run dry. */
const HURRY_MS = 2;
/** A webhook that was read so short a time ago is read for the next attempt as well. */
const WEBHOOK_STANDS_MS = 100;
/** Owned lanes are looked at so often: another worker may have got the job that told of new work in them. */
const LOOK_AGAIN_MS = 250;
const AFTER_ERROR_MS = 1000;

/**
 * Delivers what is due, as much at once as the limits let it: takes lanes, takes executions in them, sends, and writes
 * down what came of it. It runs in turns, one at a time; requests are in flight across turns.
 */
@Injectable()
export class DeliveryPump implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Deliveries');
  private readonly inFlight = new Set<Promise<void>>();
  private readonly teamSlots = new TeamSlots();
  /** Made, and not yet written down. */
  private readonly made: MadeAttempt[] = [];
  private running: Promise<void> | undefined;
  private wanted = false;
  private looksForLanes = false;
  private closing = false;
  private turnTimer: NodeJS.Timeout | undefined;
  /** By `performance.now()`. */
  private nextTurnAt = Infinity;
  private sweepTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly lanes: OwnedLanesService,
    private readonly executions: DueExecutionsRepository,
    private readonly attempts: AttemptRecordsRepository,
    private readonly sender: ExecutionSender,
    private readonly health: WebhookHealthService,
    private readonly relay: DeliveryRelay,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** A timer of the process's own and no repeated job: a queue that lost its jobs lost those too. */
  onApplicationBootstrap(): void {
    this.sweepTimer = setInterval(() => void this.wake(), this.env.WEBHOOK_SWEEP_SECONDS * 1000);
    void this.wake();
  }

  /** Lets what is in flight end, and writes it down while the database is still there. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    clearInterval(this.sweepTimer);
    clearTimeout(this.turnTimer);
    await this.running;
    await Promise.all(this.inFlight);
    for (const lane of this.lanes.all()) lane.dropQueue();
    await this.writeDown();
    await this.lanes.releaseIdle();
  }

  /** Looks for what is due. Resolves once it is on its way, as far as the limits let it. */
  wake(): Promise<void> {
    this.looksForLanes = true;
    return this.turn();
  }

  /** Resolves once nothing that is due now is in flight, and all is written down. */
  async settle(): Promise<void> {
    while (this.running || this.inFlight.size > 0 || this.made.length > 0) {
      await Promise.all([this.turn(), ...this.inFlight]);
    }
  }

  private turn(): Promise<void> {
    this.wanted = true;
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  private async run(): Promise<void> {
    try {
      while (this.wanted && !this.closing) {
        this.wanted = false;
        await this.takeTurn();
      }
      if (this.lanes.all().length > 0) this.turnIn(LOOK_AGAIN_MS);
    } catch (err) {
      this.logger.error({ err }, 'deliveries are held up');
      // It may have failed before or while it looked.
      this.looksForLanes = true;
      this.turnIn(AFTER_ERROR_MS);
    }
  }

  /** At the latest. */
  private turnIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.closing || at >= this.nextTurnAt) return;
    clearTimeout(this.turnTimer);
    this.nextTurnAt = at;
    this.turnTimer = setTimeout(() => {
      this.nextTurnAt = Infinity;
      void this.turn();
    }, ms);
  }

  private async takeTurn(): Promise<void> {
    await this.writeDown();
    if (this.looksForLanes) {
      this.looksForLanes = false;
      await this.lanes.acquire();
    }
    await this.lanes.renew();
    await this.lanes.refresh();
    await this.fillLanes();
    this.startAll();
    // What was fired while a lane was still owned may have been left to this process: one more look.
    if (await this.lanes.releaseIdle()) this.wanted = this.looksForLanes = true;
  }

  private async writeDown(): Promise<void> {
    if (this.made.length === 0) return;
    const made = [...this.made];
    const now = this.clock.now();
    await this.attempts.write(
      made.map(({ record }) => record),
      now,
    );
    // Others may have ended meanwhile.
    this.made.splice(0, made.length);
    for (const { lane, record } of made) lane.held.delete(record.execution.id);
    const later: Date[] = [];
    for (const { lane, record } of made) {
      await this.health.learn(lane, record, now).catch((err: unknown) => {
        this.logger.error({ err, webhookId: lane.webhookId }, 'the health of a webhook could not be written down');
      });
      if (!hasSucceeded(record)) lane.inFlight--;
      later.push(...[nextAttemptAt(record.decision, now) ?? []].flat());
      if (lane.isPaused(now)) later.push(lane.webhook!.pausedUntil!);
    }
    // A queue that hangs holds nothing up: the sweep finds what it wasn't told of.
    this.relay.wakeAt(later);
  }

  private async fillLanes(): Promise<void> {
    const now = this.clock.now();
    const room = new Map<string, number>();
    const held: string[] = [];
    const lanes = this.lanes.all();
    const share = Math.max(1, Math.min(QUEUE_PER_LANE, Math.floor(QUEUED / lanes.length)));
    for (const lane of lanes) {
      const reason = lane.webhook === null ? 'webhook_deleted' : lane.webhook.enabled ? undefined : 'webhook_disabled';
      if (reason || lane.isPaused(now)) lane.dropQueue();
      // What is in flight may still arrive: how it ended is for its answer to say.
      if (reason) await this.executions.skip(lane.webhookId, reason, now, [...lane.held]);
      else if (!lane.isPaused(now) && this.lanes.isSafe(lane) && lane.queue.length <= share / 2) {
        room.set(lane.webhookId, share - lane.queue.length);
      }
      held.push(...lane.held);
    }
    const taken = await this.executions.take(room, held, now);
    for (const execution of taken) this.lanes.get(execution.webhook_id)?.hold(execution);
    for (const lane of lanes) lane.hasMore = lane.queue.length >= share;
  }

  /** Idle webhooks first, then by how long they have waited. */
  private startAll(): void {
    const waiting = this.lanes.all().filter(({ queue }) => queue.length > 0);
    const dueAt = ({ queue }: DeliveryLane): number => queue[0]!.next_attempt_at.getTime();
    waiting.sort((a, b) => a.inFlight - b.inFlight || dueAt(a) - dueAt(b));
    for (const lane of waiting) this.start(lane);
  }

  private start(lane: DeliveryLane): void {
    const { webhook } = lane;
    if (!webhook?.enabled || this.closing || lane.isPaused(this.clock.now()) || !this.lanes.isSafe(lane)) return;
    const { teamId } = webhook;
    const limits = { total: this.env.WEBHOOK_SLOTS, perWebhook: this.env.WEBHOOK_IN_FLIGHT };
    while (lane.queue.length > 0) {
      const use = { total: this.inFlight.size, ofTeam: this.teamSlots.of(teamId) };
      if (!mayStart(lane, use, limits)) return;
      const execution = lane.queue.shift()!;
      lane.inFlight++;
      this.teamSlots.take(teamId);
      const sent = this.sender.send(webhook, execution).then(
        (record) => {
          this.inFlight.delete(sent);
          this.ended(lane, teamId, record);
        },
        (err: unknown) => {
          this.inFlight.delete(sent);
          this.postpone(lane, teamId, execution, err);
        },
      );
      this.inFlight.add(sent);
    }
  }

  /** The database was away, which is no failure of the webhook's: what was not sent is due as before. */
  private postpone(lane: DeliveryLane, teamId: string, execution: DueExecution, err: unknown): void {
    this.logger.warn({ err, executionId: execution.id }, 'a delivery is tried again soon');
    this.teamSlots.free(teamId);
    lane.inFlight--;
    const retry = setTimeout(() => {
      lane.held.delete(execution.id);
      void this.turn();
    }, AFTER_ERROR_MS);
    retry.unref();
  }

  private ended(lane: DeliveryLane, teamId: string, record: AttemptRecord): void {
    this.teamSlots.free(teamId);
    this.made.push({ lane, record });
    if (hasSucceeded(record)) {
      lane.inFlight--;
      if (performance.now() - lane.readAt < WEBHOOK_STANDS_MS) this.start(lane);
    }
    this.turnIn(lane.hasMore && lane.queue.length < QUEUE_PER_LANE / 4 ? HURRY_MS : GATHER_MS);
  }
}

interface MadeAttempt {
  lane: DeliveryLane;
  record: AttemptRecord;
}

/** A failure holds its slot until it is known whether it pauses the webhook. */
const hasSucceeded = ({ decision }: AttemptRecord): boolean => decision.state === 'FINISHED';
