import type { TeamMember, TeamRole, User } from '@heddle/database';
import { IsEmailAddress, MayBeAbsent } from '@heddle/http';
import { IsOptional } from 'class-validator';
import { IsName } from '../name.decorator.js';
import { UserDto } from './user.dto.js';

export class MembershipDto {
  /** @example "weavers" */
  name: string;

  role: TeamRole;
}

export class MeDto extends UserDto {
  teams: MembershipDto[];

  static fromMemberships(user: User, memberships: TeamMember[]): MeDto {
    return { ...UserDto.from(user), teams: memberships.map(({ team, role }) => ({ name: team.name, role })) };
  }
}

/** What is absent stays as it is. */
export class UpdateMeDto {
  /**
   * null removes it.
   * @example "ada@example.com"
   */
  @IsOptional()
  @IsEmailAddress()
  email?: string | null;

  /**
   * One of your teams.
   * @example "weavers"
   */
  @MayBeAbsent()
  @IsName()
  default_entity?: string;
}
