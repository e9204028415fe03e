import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Webhook } from '@heddle/database';
import { In, type Repository } from 'typeorm';
import { Clock } from './clock.js';
import { DeliveryLane } from './delivery-lane.js';
import { LANE_MS, LanesRepository, LONGEST_ATTEMPT_MS } from './lanes.repository.js';

/** Leases with less than this are renewed, so that there is always time for one more attempt. */
const RENEW_BELOW_MS = 18_000;

/** The lanes of this process. */
@Injectable()
export class OwnedLanesService {
  private readonly owner = randomUUID();
  private readonly lanes = new Map<string, DeliveryLane>();

  constructor(
    private readonly repository: LanesRepository,
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly clock: Clock,
  ) {}

  /** In no order. */
  all(): DeliveryLane[] {
    return [...this.lanes.values()];
  }

  get(webhookId: string): DeliveryLane | undefined {
    return this.lanes.get(webhookId);
  }

  /** Takes lanes that nobody owns and that have something due. */
  async acquire(): Promise<void> {
    const ownedUntil = performance.now() + LANE_MS;
    for (const id of await this.repository.acquire(this.owner, this.clock.now(), [...this.lanes.keys()])) {
      this.lanes.set(id, new DeliveryLane(id, ownedUntil));
    }
  }

  /** Renews leases that run out; what is lost goes back. */
  async renew(): Promise<void> {
    const old = this.all().filter((lane) => lane.ownedUntil - performance.now() < RENEW_BELOW_MS);
    if (old.length === 0) return;
    const ownedUntil = performance.now() + LANE_MS;
    const renewed = new Set(
      await this.repository.renew(
        this.owner,
        old.map(({ webhookId }) => webhookId),
      ),
    );
    for (const lane of old) {
      if (renewed.has(lane.webhookId)) lane.ownedUntil = ownedUntil;
      else {
        lane.dropQueue();
        // What is in flight is still to be written down.
        if (lane.isIdle) this.lanes.delete(lane.webhookId);
      }
    }
  }

  /** Whether an attempt that starts now ends while the lane is owned. */
  isSafe({ ownedUntil }: DeliveryLane): boolean {
    return ownedUntil - performance.now() > LONGEST_ATTEMPT_MS;
  }

  /** Reads the webhooks anew: what an administrator changed counts from the next attempt on. */
  async refresh(): Promise<void> {
    const lanes = this.all();
    if (lanes.length === 0) return;
    const readAt = performance.now();
    const found = await this.webhooks.findBy({ id: In(lanes.map(({ webhookId }) => webhookId)) });
    const webhooks = new Map(found.map((webhook) => [webhook.id, webhook]));
    for (const lane of lanes) Object.assign(lane, { webhook: webhooks.get(lane.webhookId) ?? null, readAt });
  }

  /** @returns whether there were any */
  async releaseIdle(): Promise<boolean> {
    const idle = this.all().filter((lane) => lane.isIdle);
    if (idle.length === 0) return false;
    for (const { webhookId } of idle) this.lanes.delete(webhookId);
    await this.repository.release(
      this.owner,
      idle.map(({ webhookId }) => webhookId),
    );
    return true;
  }
}
