import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { type RemoteServerState, RemoteServersService } from '@heddle/base-models';
import { Env } from '@heddle/config';
import type { Queue } from 'bullmq';
import { DependenciesService } from './dependencies.service.js';
import type { ServerCheckDto, SystemCheckDto } from './dto/system-check.dto.js';
import { QueueProbeService } from './queue-probe.service.js';

/** Tries every component for real, all at once, each bounded by SYSTEM_CHECK_TIMEOUT_MS. */
@Injectable()
export class SystemCheckService {
  private running?: Promise<SystemCheckDto>;

  constructor(
    private readonly env: Env,
    private readonly dependencies: DependenciesService,
    private readonly probe: QueueProbeService,
    private readonly servers: RemoteServersService,
    @InjectQueue('cpu') private readonly cpu: Queue,
    @InjectQueue('gpu') private readonly gpu: Queue,
  ) {}

  /** Anybody may ask, so those who ask at once share one run. */
  check(): Promise<SystemCheckDto> {
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  private async run(): Promise<SystemCheckDto> {
    const timeout = this.env.SYSTEM_CHECK_TIMEOUT_MS;
    const [database, cpu_queue, gpu_queue, servers] = await Promise.all([
      this.dependencies.databaseAnswers(timeout),
      this.probe.check(this.cpu, timeout),
      this.probe.check(this.gpu, timeout),
      this.servers.askNow(timeout),
    ]);
    return {
      api: true,
      database,
      cpu_queue,
      gpu_queue,
      ...(servers.length > 0 ? { servers: servers.map(serverCheck) } : {}),
    };
  }
}

export function isHealthy({ database, cpu_queue, gpu_queue, servers = [] }: SystemCheckDto): boolean {
  return database && [cpu_queue, gpu_queue, ...servers].every(({ success }) => success);
}

/** Anybody may read it: hosts are not for everybody. */
function serverCheck({ kind, baseModel, isUp, publicReason, duration }: RemoteServerState): ServerCheckDto {
  return { kind, base_model: baseModel, success: isUp, duration, errors: publicReason === null ? [] : [publicReason] };
}
