import { IsLine, IsSegment, PageQuery } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsUUID, Matches, Max, Min } from 'class-validator';
import type { DeletedModel } from './model-deletion.service.js';
import type { ModelFilter } from './models.repository.js';
import type { ModelView, Registration } from './models.service.js';

/** What no engine goes beyond; each base model has its own limit. */
const MAX_LORA_RANK = 1024;

export class ModelDto {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  id: string;

  /** @example "weavers" */
  entity: string;

  /** @example "loom" */
  project: string;

  /**
   * Unique in the project.
   * @example "agent-001"
   */
  name: string;

  /** @example "heddle/shuttle-1m" */
  base_model: string;

  /**
   * Of its first adapter; null: the default of its base model.
   * @example 16
   */
  @ApiProperty({ type: 'integer' })
  lora_rank: number | null;

  /** Where its metrics are; null once somebody has deleted it. */
  @ApiProperty({ example: '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11' })
  run_id: string | null;

  /**
   * Name of that run in the project.
   * @example "agent-001"
   */
  run_name: string | null;

  /**
   * Of its latest checkpoint; 0 before the first.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  step: number;

  /**
   * Username of the creator.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  static from({ model, project, step }: ModelView): ModelDto {
    return {
      id: model.id,
      entity: project.entity,
      project: project.name,
      name: model.name,
      base_model: model.baseModel,
      lora_rank: model.loraRank,
      run_id: model.runId,
      run_name: model.run?.name ?? null,
      step,
      created_by: model.createdBy,
      created_at: model.createdAt,
    };
  }
}

export class ModelPath {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  @IsUUID()
  model_id: string;
}

export class RegisterModelDto {
  /**
   * One of your teams; null means your default one.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string | null;

  /**
   * Made where the team has none of that name.
   * @example "loom"
   */
  @IsLine(MAX_NAME_LENGTH)
  @Matches(/^[^/]*$/, { message: 'project must not hold a slash' })
  project: string;

  /**
   * Unique in the project, without slashes and colons: also the name of its artifacts.
   * @example "agent-001"
   */
  @IsSegment(MAX_NAME_LENGTH)
  name: string;

  /**
   * One of `GET /v1/preview/base-models`.
   * @example "heddle/shuttle-1m"
   */
  @IsLine(MAX_NAME_LENGTH)
  base_model: string;

  /**
   * Of its first adapter, which all later ones go on from; null: the default of the base model. More learns more, and takes
   * more memory.
   * @example 16
   */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_LORA_RANK)
  lora_rank?: number | null;

  /** Answers with the project's model of that name, if it has one, whatever its base model. */
  @IsOptional()
  @IsBoolean()
  return_existing?: boolean | null = false;

  static toRegistration(dto: RegisterModelDto): Registration {
    return {
      entity: dto.entity ?? null,
      project: dto.project,
      name: dto.name,
      baseModel: dto.base_model,
      loraRank: dto.lora_rank ?? null,
      returnExisting: dto.return_existing ?? false,
    };
  }
}

export class ListModelsQuery extends PageQuery {
  /**
   * Only those of this team.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string;

  /**
   * Only those of projects of this name.
   * @example "loom"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  project?: string;

  /**
   * Only those of this name.
   * @example "agent-001"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  name?: string;

  /**
   * Only those of this base model.
   * @example "heddle/shuttle-1m"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  base_model?: string;

  static toFilter({ entity, project, name, base_model: baseModel }: ListModelsQuery): ModelFilter {
    return { entity, project, name, baseModel };
  }
}

export class DeletedModelDto {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  model_id: string;

  /** @example 12 */
  @ApiProperty({ type: 'integer' })
  deleted_checkpoints: number;

  /** false where its run had been deleted before. */
  deleted_run: boolean;

  static from({ id, checkpoints, run }: DeletedModel): DeletedModelDto {
    return { model_id: id, deleted_checkpoints: checkpoints, deleted_run: run };
  }
}
