import { PLACE_ROLES, type PlaceRole } from '@heddle/database';
import { IsLine } from '@heddle/http';
import { IsIn } from 'class-validator';
import type { PlaceMember } from '../place-members.service.js';
import { MAX_NAME_LENGTH } from '../project-id.js';
import { ProjectPath } from './project.dto.js';

export class ProjectMemberDto {
  /**
   * The user's id.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  /** @example "ada" */
  username: string;

  /** What the user may do in the project. */
  role: PlaceRole;

  /** `team`: the role that members of the team have; `grant`: one that this project grants. */
  source: 'team' | 'grant';

  static from({ user, role, source }: PlaceMember): ProjectMemberDto {
    return { id: user.id, username: user.username, role, source };
  }
}

export class PutProjectMemberDto {
  /**
   * `viewer` reads; `member` reads and writes; `admin` manages members and automations too.
   * @example "viewer"
   */
  @IsIn(PLACE_ROLES)
  role: PlaceRole;
}

export class ProjectMemberPath extends ProjectPath {
  /** @example "ada" */
  @IsLine(MAX_NAME_LENGTH)
  username: string;
}
