import type { User } from '@heddle/database';
import { IsEmailAddress, MayBeAbsent } from '@heddle/http';
import { IsBoolean, IsOptional } from 'class-validator';
import { IsName } from '../name.decorator.js';

export class UserDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /** @example "ada" */
  username: string;

  /** @example "ada@example.com" */
  email: string | null;

  /** Whether the user administers this instance: its users and teams, not their data. */
  is_admin: boolean;

  /**
   * The team that stands for a null `entity`.
   * @example "weavers"
   */
  default_entity: string | null;

  created_at: Date;

  static from(user: User): UserDto {
    return {
      id: user.id,
      username: user.username,
      email: user.email,
      is_admin: user.isAdmin,
      default_entity: user.defaultTeam?.name ?? null,
      created_at: user.createdAt,
    };
  }
}

export class CreateUserDto {
  /**
   * Unique. It can't be changed later, since traces and events carry it.
   * @example "ada"
   */
  @IsName()
  username: string;

  /** @example "ada@example.com" */
  @IsOptional()
  @IsEmailAddress()
  email?: string | null;

  /**
   * Makes the user an administrator of this instance.
   * @example false
   */
  @MayBeAbsent()
  @IsBoolean()
  is_admin?: boolean;
}

/** What is absent stays as it is. */
export class UpdateUserDto {
  /**
   * null removes it.
   * @example "ada@example.com"
   */
  @IsOptional()
  @IsEmailAddress()
  email?: string | null;

  /**
   * Whether they administer this instance.
   * @example false
   */
  @MayBeAbsent()
  @IsBoolean()
  is_admin?: boolean;
}
