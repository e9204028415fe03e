import { IsUUID } from 'class-validator';
import { IsName } from '../name.decorator.js';

export class UserPath {
  /** @example "ada" */
  @IsName()
  username: string;
}

export class TeamPath {
  /** @example "weavers" */
  @IsName()
  team: string;
}

export class MemberPath extends TeamPath {
  /** @example "ada" */
  @IsName()
  username: string;
}

export class ApiKeyPath {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  id: string;
}

export class UserApiKeyPath extends ApiKeyPath {
  /** @example "ada" */
  @IsName()
  username: string;
}
