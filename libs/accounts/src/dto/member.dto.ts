import { TEAM_ROLES, type TeamMember, type TeamRole } from '@heddle/database';
import { IsIn } from 'class-validator';

export class MemberDto {
  /**
   * The user's id.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  /** @example "ada" */
  username: string;

  role: TeamRole;

  /** When the user joined the team. */
  created_at: Date;

  static from(member: TeamMember): MemberDto {
    return { id: member.userId, username: member.user.username, role: member.role, created_at: member.createdAt };
  }
}

export class PutMemberDto {
  /**
   * `viewer` reads the team's data, `member` writes it too, `admin` manages its members, secrets and settings as well. A
   * project or registry may grant more.
   * @example "member"
   */
  @IsIn(TEAM_ROLES)
  role: TeamRole;
}
