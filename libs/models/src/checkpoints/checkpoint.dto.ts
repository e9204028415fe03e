import type { Checkpoint } from '@heddle/database';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { DeletedCheckpoints } from './checkpoints.service.js';

const MAX_STEPS = 10_000;
const MAX_STEP = 2 ** 31 - 1;

export class CheckpointDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * From 1: step 0 is the untrained adapter. Steps go up and are never used again.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  step: number;

  /** What training said of it, and what was logged while it was the latest. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number' },
    example: { 'train/reward': 0.91, 'val/reward': 0.88 },
  })
  metrics: Record<string, number>;

  /**
   * Its artifact version; `:step12` names it too.
   * @example "0e0b6c86-5a5e-4b9b-8a44-7d0c4b8f6d55"
   */
  artifact_version_id: string;

  /** The job that made it. */
  training_job_id: string | null;

  created_at: Date;

  static from(checkpoint: Checkpoint): CheckpointDto {
    return {
      id: checkpoint.id,
      step: checkpoint.step,
      metrics: JSON.parse(checkpoint.metrics) as Record<string, number>,
      artifact_version_id: checkpoint.versionId,
      training_job_id: checkpoint.trainingJobId,
      created_at: checkpoint.createdAt,
    };
  }
}

export class DeleteCheckpointsDto {
  /** Steps to delete. */
  @IsArray()
  @ArrayMaxSize(MAX_STEPS)
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(MAX_STEP, { each: true })
  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [1, 2, 3] })
  steps: number[];

  /** Deletes also the latest one, and those that are being served or trained from. */
  @IsOptional()
  @IsBoolean()
  @ApiProperty({ type: 'boolean', nullable: true, example: false })
  force?: boolean | null;
}

export class DeletedCheckpointsDto {
  /** @example 2 */
  @ApiProperty({ type: 'integer' })
  deleted_count: number;

  /** Those that there were no checkpoints of. */
  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [3] })
  not_found_steps: number[];

  static from({ deleted, notFound }: DeletedCheckpoints): DeletedCheckpointsDto {
    return { deleted_count: deleted, not_found_steps: notFound };
  }
}
