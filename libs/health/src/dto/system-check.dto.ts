import { ApiProperty } from '@nestjs/swagger';

/** One probe job's way through a queue to a worker and back. */
export class QueueCheckDto {
  success: boolean;

  /**
   * Seconds from asking to the answer, or to giving up.
   * @example 0.014
   */
  duration: number;

  /** Why it failed; empty on success. */
  errors: string[];
}

/** A machine that base models are trained or sampled on: whether it answers, and has its model. */
export class ServerCheckDto extends QueueCheckDto {
  @ApiProperty({ enum: ['trainer', 'inference'] })
  kind: string;

  /** @example "Qwen/Qwen3-4B-Instruct-2507" */
  base_model: string;
}

export class SystemCheckDto {
  /** Always true: the API answered. */
  api: boolean;

  /** Whether the database answers queries. */
  database: boolean;

  cpu_queue: QueueCheckDto;

  gpu_queue: QueueCheckDto;

  /** One for each server that BASE_MODELS names; absent where this machine trains and samples all. */
  servers?: ServerCheckDto[];
}
