import type { Project } from '@heddle/database';
import { IsLine, MayBeAbsent, PageQuery } from '@heddle/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { MAX_NAME_LENGTH } from '../project-id.js';

export class ProjectDto {
  /**
   * `entity/project`, the `project_id` of the tracing routes.
   * @example "weavers/loom"
   */
  id: string;

  /** @example "weavers" */
  entity: string;

  /** @example "loom" */
  name: string;

  /**
   * Days for which calls are kept; 0: for ever; null: the server's setting.
   * @example 90
   */
  @ApiProperty({ type: 'integer', nullable: true })
  retention_days: number | null;

  /**
   * Whether chat completions with the project's models are traced.
   * @example false
   */
  chat_tracing: boolean;

  created_at: Date;

  static from(project: Project): ProjectDto {
    return {
      id: `${project.team.name}/${project.name}`,
      entity: project.team.name,
      name: project.name,
      retention_days: project.retentionDays,
      chat_tracing: project.chatTracing,
      created_at: project.createdAt,
    };
  }
}

export class ProjectPath {
  /**
   * The team that owns the project.
   * @example "weavers"
   */
  @IsLine(MAX_NAME_LENGTH)
  entity: string;

  /** @example "loom" */
  @IsLine(MAX_NAME_LENGTH)
  project: string;
}

export class ListProjectsQuery extends PageQuery {
  /**
   * One of your teams; without it, the projects of all of them.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string;
}

export class CreateProjectDto {
  /**
   * One of your teams; null means your default one.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string | null;

  /**
   * Unique in the team; anything printable but a slash.
   * @example "loom"
   */
  @IsLine(MAX_NAME_LENGTH)
  @Matches(/^[^/]*$/, { message: 'name must not hold a slash' })
  name: string;
}

export class UpdateProjectDto {
  /**
   * Days for which calls are kept; 0: for ever; null: the server's setting. Older calls are deleted for good.
   * @example 90
   */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(36_500)
  retention_days?: number | null;

  /**
   * Whether each chat completion with a model of the project becomes a call of the project: prompt, completion, usage and
   * latency, for everybody to see who may read there.
   * @example true
   */
  @MayBeAbsent()
  @IsBoolean()
  chat_tracing?: boolean;
}

export class DeleteProjectQuery {
  /**
   * The project's id, `entity/project`.
   * @example "weavers/loom"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  confirm?: string;
}
