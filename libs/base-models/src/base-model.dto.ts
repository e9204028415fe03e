import type { BaseModelInfo } from '@heddle/engine';
import { ApiProperty } from '@nestjs/swagger';
import type { BaseModelStateName, BaseModelView } from './base-model-states.js';
import type { RemoteServerState } from './remote-servers.service.js';

export class LoraDefaultsDto {
  /** @example 8 */
  @ApiProperty({ type: 'integer' })
  rank: number;

  /** @example 512 */
  alpha: number;
}

/** What it needs on another machine. */
export class BaseModelServerDto {
  @ApiProperty({ enum: ['trainer', 'inference'] })
  kind: RemoteServerState['kind'];

  /** @example "gpu-1:8000" */
  host: string;

  /** Whether it answered a few seconds ago, and has the model. */
  @ApiProperty({ enum: ['up', 'down'] })
  status: string;

  /**
   * Why it is down.
   * @example null
   */
  reason: string | null;
}

export class BaseModelDto {
  /**
   * For `base_model`, where a model is registered.
   * @example "heddle/shuttle-1m"
   */
  id: string;

  /** `ready` chats and trains. Models of one that is `downloading` can be registered, and their jobs wait for it. */
  @ApiProperty({ enum: ['ready', 'downloading', 'failed'] })
  state: BaseModelStateName;

  /**
   * Percent of its download; null for one that is ready or has failed, and at the start.
   * @example null
   */
  @ApiProperty({ type: 'integer' })
  progress: number | null;

  /**
   * Why it failed, or what its download waits for.
   * @example null
   */
  reason: string | null;

  /**
   * Tokens that prompt and completion may have together; null, like all below, before it is ready.
   * @example 1024
   */
  @ApiProperty({ type: 'integer' })
  context_length: number | null;

  /** What trains it: the engine of this machine, or a server of the Tinker protocol. null before it is ready. */
  @ApiProperty({ enum: ['embedded', 'tinker'] })
  engine: BaseModelInfo['engine'] | null;

  /**
   * How many parameters it has; null where that is not known here.
   * @example 1313408
   */
  @ApiProperty({ type: 'integer' })
  size: number | null;

  /** @example 264 */
  @ApiProperty({ type: 'integer' })
  vocabulary_size: number | null;

  /**
   * Which kind of decoder it is: `model_type` of its config.json.
   * @example "llama"
   */
  family: string | null;

  /**
   * Bytes that its weights take in each process that uses it; 0 where it is trained and sampled elsewhere.
   * @example 5253632
   */
  @ApiProperty({ type: 'integer' })
  memory_bytes: number | null;

  /** Of new adapters, where a model's registration says nothing. */
  lora: LoraDefaultsDto | null;

  /** Those that train and sample it; empty where this machine does. */
  servers: BaseModelServerDto[];

  static from(
    { id, state, progress, reason, info }: BaseModelView,
    servers: readonly RemoteServerState[],
  ): BaseModelDto {
    const own = servers.filter(({ baseModel }) => baseModel === id);
    return {
      id,
      state,
      progress,
      reason,
      context_length: info?.contextLength ?? null,
      engine: info?.engine ?? null,
      size: info?.parameters ?? null,
      vocabulary_size: info?.vocabularySize ?? null,
      family: info?.family ?? null,
      memory_bytes: info?.memoryBytes ?? null,
      lora: info ? { rank: info.lora.rank, alpha: info.lora.alpha } : null,
      servers: own.map(({ kind, host, isUp, reason }) => ({ kind, host, status: isUp ? 'up' : 'down', reason })),
    };
  }
}
