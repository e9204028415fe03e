import type { ApiKey } from '@heddle/database';
import { NotEquals } from 'class-validator';
import { IsLine } from '@heddle/http';
import { ENVIRONMENT_KEY_NAME } from '../environment-key.js';

export class ApiKeyDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /** @example "laptop" */
  name: string;

  /**
   * The key's first characters.
   * @example "hd_q7Zx1"
   */
  prefix: string;

  created_at: Date;

  /** Kept to the minute; null until the key is first used. */
  last_used_at: Date | null;

  static from(key: ApiKey): ApiKeyDto {
    return {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
    };
  }
}

export class CreatedApiKeyDto extends ApiKeyDto {
  /**
   * The key itself. It is shown here and never again: only its digest is stored.
   * @example "hd_q7Zx1mYkq0bTzM3nCwJ4uV8sLh2Rf6aPd9eGiK5oXyB"
   */
  key: string;

  static fromKey(key: string, stored: ApiKey): CreatedApiKeyDto {
    return { ...ApiKeyDto.from(stored), key };
  }
}

export class CreateApiKeyDto {
  /**
   * What the key is for. `ADMIN_API_KEY` is reserved for the key from the server's environment.
   * @example "laptop"
   */
  @IsLine(100)
  @NotEquals(ENVIRONMENT_KEY_NAME)
  name: string;
}
