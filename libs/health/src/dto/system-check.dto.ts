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

export class SystemCheckDto {
  /** Always true: the API answered. */
  api: boolean;

  /** Whether the database answers queries. */
  database: boolean;

  cpu_queue: QueueCheckDto;

  gpu_queue: QueueCheckDto;
}
