import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { Team } from '@heddle/database';
import { IsName } from '../name.decorator.js';

export class TeamDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * The `entity` of projects, traces and models.
   * @example "weavers"
   */
  name: string;

  /**
   * For how long versions of artifacts stay where neither they nor their collections say so, in seconds; null: for good.
   * @example 7776000
   */
  artifact_ttl_seconds: number | null;

  created_at: Date;

  static from(team: Team): TeamDto {
    const { id, name, artifactTtlSeconds: ttl, createdAt } = team;
    return { id, name, artifact_ttl_seconds: ttl === null ? null : Number(ttl), created_at: createdAt };
  }
}

export class CreateTeamDto {
  /**
   * Unique.
   * @example "weavers"
   */
  @IsName()
  name: string;
}

export class UpdateTeamDto {
  /**
   * For how long versions of artifacts stay where neither they nor their collections say so, in seconds from when they were
   * made; null: for good. It holds for those that are there already, too.
   * @example 7776000
   */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(31_557_600_000)
  artifact_ttl_seconds?: number | null;
}

export class DeleteTeamQuery {
  /**
   * The team's name.
   * @example "weavers"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  confirm?: string;
}
