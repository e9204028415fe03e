import { applyDecorators } from '@nestjs/common';
import type { Secret } from '@heddle/database';
import { IsLine } from '@heddle/http';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { IsSecretName } from '../secret-name.decorator.js';
import { MAX_SECRET_LENGTH } from '../secret-value.js';

/** A secret without its value, which no route returns. */
export class SecretDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /** @example "GITHUB_TOKEN" */
  name: string;

  /**
   * 1, and one more with each rotation.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  version: number;

  created_at: Date;

  /**
   * Username.
   * @example "ada"
   */
  created_by: string;

  /** When the present value was set. */
  updated_at: Date;

  /**
   * Username of who set the present value.
   * @example "ada"
   */
  updated_by: string;

  static from(secret: Secret): SecretDto {
    return {
      id: secret.id,
      name: secret.name,
      version: secret.version,
      created_at: secret.createdAt,
      created_by: secret.createdBy,
      updated_at: secret.updatedAt,
      updated_by: secret.updatedBy,
    };
  }
}

/** Checked by the service: the refusals of DTOs repeat what they refuse. */
const Value = (): PropertyDecorator =>
  applyDecorators(
    Allow(),
    ApiProperty({
      type: 'string',
      minLength: 1,
      maxLength: MAX_SECRET_LENGTH,
      writeOnly: true,
      example: 'paste-the-token-here',
    }),
  );

export class CreateSecretDto {
  /**
   * Unique in the team; letters, digits and underscores. Webhooks refer to the secret by it, payloads as `${NAME}`.
   * Names of payload variables (`alias`, `ACCESS_TOKEN`, ...) are taken.
   * @example "GITHUB_TOKEN"
   */
  @IsSecretName()
  name: string;

  /** The sensitive string. It is encrypted at once and never shown again. An access token must be visible ASCII. */
  @Value()
  value: unknown;
}

export class RotateSecretDto {
  /** The new sensitive string. It is encrypted at once and never shown again. */
  @Value()
  value: unknown;
}

export class TeamSecretsPath {
  /**
   * Name of a team of yours: `GET /v1/me` lists them.
   * @example "weavers"
   */
  @IsLine(64)
  team: string;
}

export class SecretPath extends TeamSecretsPath {
  /** @example "GITHUB_TOKEN" */
  @IsLine(64)
  name: string;
}
