import { TRAINING_EVENT_TYPES, type TrainingEventType } from '@heddle/database';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { TrainingEvent } from './training-events.repository.js';

export class TrainingJobEventDto {
  /**
   * The cursor of the page, and the id of the server-sent event.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  @ApiProperty({ enum: TRAINING_EVENT_TYPES })
  type: TrainingEventType;

  /**
   * `training_started`: `num_sequences`, the number of gradient steps to come, and more about the data. `gradient_step`:
   * numbers by name. `training_ended`: `step`, that of the new checkpoint, and `reason` where nothing was trained.
   * `training_failed`: `error_message`.
   */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { num_sequences: 4, num_trajectories: 768 } })
  data: Record<string, unknown>;

  static from({ id, type, data }: Pick<TrainingEvent, 'id' | 'type' | 'data'>): TrainingJobEventDto {
    return { id, type, data: JSON.parse(data) as Record<string, unknown> };
  }
}

/** Events come in one order only. */
export class ListTrainingEventsQuery {
  /**
   * Id of the last event of the page before; without it, the list begins at the first event.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  after?: string;

  /** Events of a page, 1 to 100. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;
}
