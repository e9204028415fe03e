import {
  TRAINING_JOB_KINDS,
  TRAINING_JOB_STATES,
  type TrainingJob,
  type TrainingJobKind,
  type TrainingJobState,
} from '@heddle/database';
import { IsLine, PageQuery } from '@heddle/http';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { trainingDataUrlOf } from './sft/sft-reference.js';

/** A job as its service found it. */
export interface JobWithWarnings {
  job: TrainingJob;
  warnings: string[];
}

export class TrainingJobDto {
  /** @example "0d3f9e2a-6a52-4a3e-9f5e-3a0d8b5c7f10" */
  id: string;

  /** Reinforcement learning, or supervised fine-tuning. */
  @ApiProperty({ enum: TRAINING_JOB_KINDS })
  kind: TrainingJobKind;

  @ApiProperty({ enum: TRAINING_JOB_STATES })
  state: TrainingJobState;

  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  model_id: string;

  /** What was asked for, without the nulls. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { learning_rate: 0.0001 } })
  config: Record<string, unknown>;

  /**
   * Of a fine-tuning job: its data.
   * @example "wandb-artifact:///weavers/loom/facts:v0"
   */
  training_data_url: string | null;

  /**
   * The checkpoint that it goes on from, 0 for the untrained adapter; null before it starts.
   * @example 4
   */
  from_step: number | null;

  /**
   * The checkpoint that it made.
   * @example 5
   */
  step: number | null;

  /**
   * Gradient steps; null before `training_started`.
   * @example 12
   */
  num_sequences: number | null;

  /**
   * How often a worker has begun it: more than once where one died.
   * @example 1
   */
  attempts: number;

  /** Why it failed. */
  error: string | null;

  /** What of the request was not done as asked. */
  warnings: string[];

  /** Whether somebody asked for its end. */
  cancel_requested: boolean;

  /** Username. */
  created_by: string;

  created_at: Date;

  started_at: Date | null;

  ended_at: Date | null;

  static from({ job, warnings }: JobWithWarnings): TrainingJobDto {
    return {
      id: job.id,
      kind: job.kind,
      state: job.state,
      model_id: job.modelId,
      config: JSON.parse(job.config) as Record<string, unknown>,
      training_data_url: job.kind === 'sft' ? trainingDataUrlOf(job.data) : null,
      from_step: job.fromStep,
      step: job.step,
      num_sequences: job.numSequences,
      attempts: job.attempts,
      error: job.error,
      warnings,
      cancel_requested: job.cancelRequestedAt !== null,
      created_by: job.createdBy,
      created_at: job.createdAt,
      started_at: job.startedAt,
      ended_at: job.endedAt,
    };
  }
}

export class TrainingJobPath {
  /** @example "0d3f9e2a-6a52-4a3e-9f5e-3a0d8b5c7f10" */
  @IsUUID()
  training_job_id: string;
}

export class ModelJobsPath {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  model_id: string;
}

export class ListTrainingJobsQuery extends PageQuery {
  /** Only jobs in this state. */
  @IsOptional()
  @IsIn(TRAINING_JOB_STATES)
  state?: TrainingJobState;
}

export class ListAllTrainingJobsQuery extends ListTrainingJobsQuery {
  /** By creation: newest first (`desc`) or oldest first (`asc`). */
  @ApiPropertyOptional()
  @IsIn(['asc', 'desc'])
  override order: 'asc' | 'desc' = 'desc';

  /**
   * Only those of this team.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(128)
  entity?: string;

  /**
   * Only those in projects of this name.
   * @example "loom"
   */
  @IsOptional()
  @IsLine(128)
  project?: string;

  /**
   * Only those of this model.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  @IsOptional()
  @IsUUID()
  model_id?: string;

  /** Only those of this kind. */
  @IsOptional()
  @IsIn(TRAINING_JOB_KINDS)
  kind?: TrainingJobKind;
}
