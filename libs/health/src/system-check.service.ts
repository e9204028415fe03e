import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import type { Queue } from 'bullmq';
import { DependenciesService } from './dependencies.service.js';
import type { SystemCheckDto } from './dto/system-check.dto.js';
import { QueueProbeService } from './queue-probe.service.js';

/** Tries every component for real, all at once, each bounded by SYSTEM_CHECK_TIMEOUT_MS. */
@Injectable()
export class SystemCheckService {
  private running?: Promise<SystemCheckDto>;

  constructor(
    private readonly env: Env,
    private readonly dependencies: DependenciesService,
    private readonly probe: QueueProbeService,
    @InjectQueue('cpu') private readonly cpu: Queue,
    @InjectQueue('gpu') private readonly gpu: Queue,
  ) {}

  /** Anybody may ask, so those who ask at once share one run. */
  check(): Promise<SystemCheckDto> {
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  private async run(): Promise<SystemCheckDto> {
    const timeout = this.env.SYSTEM_CHECK_TIMEOUT_MS;
    const [database, cpu_queue, gpu_queue] = await Promise.all([
      this.dependencies.databaseAnswers(timeout),
      this.probe.check(this.cpu, timeout),
      this.probe.check(this.gpu, timeout),
    ]);
    return { api: true, database, cpu_queue, gpu_queue };
  }
}

export function isHealthy({ database, cpu_queue, gpu_queue }: SystemCheckDto): boolean {
  return database && cpu_queue.success && gpu_queue.success;
}
