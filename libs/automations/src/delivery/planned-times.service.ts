import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from './clock.js';
import { DeliveryPump } from './delivery.pump.js';
import { PlannedTimesRepository } from './planned-times.repository.js';

const LOOK_EVERY_MS = 60_000;

/** Lets a delivery wait no longer than was meant, though a clock was set back while it waited. */
@Injectable()
export class PlannedTimesService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Deliveries');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly times: PlannedTimesRepository,
    private readonly pump: DeliveryPump,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    void this.look();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async look(): Promise<void> {
    try {
      const replanned = await this.times.replan(this.clock.now());
      if (replanned === 0) return;
      this.logger.warn({ replanned }, 'a clock was set back: what waits is planned anew');
      await this.pump.wake();
    } catch (err) {
      this.logger.warn({ err }, 'planned times could not be looked at: in a minute again');
    }
  }
}
