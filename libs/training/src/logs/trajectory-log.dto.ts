import type { TrajectoryLog } from '@heddle/database';
import { IsLine, PageQuery } from '@heddle/http';
import { ModelPath } from '@heddle/models';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';

export class TrajectoryLogDto {
  /** @example "0e0b6c86-5a5e-4b9b-8a44-7d0c4b8f6d55" */
  id: string;

  /** @example "val" */
  split: string;

  /**
   * The model's step when they were logged.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  step: number;

  /** @example 48 */
  @ApiProperty({ type: 'integer' })
  groups: number;

  /** @example 768 */
  @ApiProperty({ type: 'integer' })
  trajectories: number;

  /** Rollouts that ended in an exception. */
  @ApiProperty({ type: 'integer', example: 0 })
  exceptions: number;

  /** What was computed from them, as it stands in the model's run and at its checkpoint. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number' },
    example: { 'val/reward': 0.88, 'val/reward_std_dev': 0.21, 'val/exception_rate': 0 },
  })
  metrics: Record<string, number>;

  /**
   * Username of who logged them.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  static from(log: TrajectoryLog): TrajectoryLogDto {
    return {
      id: log.id,
      split: log.split,
      step: log.step,
      groups: log.groups,
      trajectories: log.trajectories,
      exceptions: log.exceptions,
      metrics: JSON.parse(log.metrics) as Record<string, number>,
      created_by: log.createdBy,
      created_at: log.createdAt,
    };
  }
}

export class TrajectoryLogPath extends ModelPath {
  /** @example "0e0b6c86-5a5e-4b9b-8a44-7d0c4b8f6d55" */
  @IsUUID()
  log_id: string;
}

export class ListTrajectoryLogsQuery extends PageQuery {
  /**
   * Only those of this split.
   * @example "val"
   */
  @IsOptional()
  @IsLine(64)
  split?: string;

  /** Only those of this step. */
  @ApiPropertyOptional({ type: 'integer', example: 12 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(2 ** 31 - 1)
  step?: number;
}
