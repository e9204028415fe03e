import { PLACE_ROLES, type PlaceRole, type Registry } from '@heddle/database';
import { IsLine, IsSegment, PageQuery } from '@heddle/http';
import { MAX_NAME_LENGTH, type PlaceMember } from '@heddle/projects';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

export class RegistryDto {
  /**
   * The `scope_id` of automations.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  /** @example "weavers" */
  entity: string;

  /**
   * Unique in the team.
   * @example "releases"
   */
  name: string;

  /** @example "What runs in production." */
  description: string | null;

  /** Username of the creator. */
  created_by: string;

  created_at: Date;

  static from(registry: Registry): RegistryDto {
    return {
      id: registry.id,
      entity: registry.team.name,
      name: registry.name,
      description: registry.description,
      created_by: registry.createdBy,
      created_at: registry.createdAt,
    };
  }
}

export class RegistryPath {
  /** @example "weavers" */
  @IsLine(MAX_NAME_LENGTH)
  entity: string;

  /** @example "releases" */
  @IsLine(MAX_NAME_LENGTH)
  registry: string;
}

export class ListRegistriesQuery extends PageQuery {
  /**
   * One of your teams; without it, all registries in which you have a role.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string;
}

export class UpdateRegistryDto {
  /** @example "What runs in production." */
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: '$property must be storable text' })
  description?: string | null;
}

export class CreateRegistryDto extends UpdateRegistryDto {
  /**
   * One of your teams; null means your default one.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  entity?: string | null;

  /**
   * Unique in the team, without slashes and colons.
   * @example "releases"
   */
  @IsSegment(MAX_NAME_LENGTH)
  name: string;
}

export class RegistryMemberDto {
  /**
   * The user's id.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  /** @example "ada" */
  username: string;

  /** What the user may do in the registry. */
  role: PlaceRole;

  /** `team`: the role that members of the team have; `grant`: one that this registry grants. */
  source: 'team' | 'grant';

  static from({ user, role, source }: PlaceMember): RegistryMemberDto {
    return { id: user.id, username: user.username, role, source };
  }
}

export class RegistryMemberPath extends RegistryPath {
  /** @example "ada" */
  @IsLine(MAX_NAME_LENGTH)
  username: string;
}

export class PutRegistryMemberDto {
  /**
   * `viewer` reads; `member` links versions and labels them; `admin` manages members and automations too.
   * @example "member"
   */
  @IsIn(PLACE_ROLES)
  role: PlaceRole;
}
