import { IsOptional, IsString, MaxLength } from 'class-validator';
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

  created_at: Date;

  static from(team: Team): TeamDto {
    return { id: team.id, name: team.name, created_at: team.createdAt };
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
