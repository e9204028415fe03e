import { DISABLED_REASONS, type DisabledReason, type Webhook } from '@heddle/database';
import { IsLine, MayBeAbsent } from '@heddle/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsUUID } from 'class-validator';
import { IsPayload } from './payload.decorator.js';
import type { WebhookSettings } from './webhooks.service.js';

export class WebhookDto {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  id: string;

  /** @example "github-dispatch" */
  name: string;

  /** @example "https://api.github.com/repos/weavers/loom/dispatches" */
  url_endpoint: string;

  /**
   * Name of the secret that is sent as `Authorization: Bearer ...`.
   * @example "GITHUB_TOKEN"
   */
  access_token_ref: string | null;

  /**
   * Name of the secret that signs, for `X-Service-Signature` and `webhook-signature`.
   * @example "SIGNING_SECRET"
   */
  secret_ref: string | null;

  enabled: boolean;

  /** Who disabled it: an administrator, a receiver that answered 410 Gone, or too many failures. null while enabled. */
  @ApiProperty({ enum: DISABLED_REASONS, nullable: true, example: null })
  disabled_reason: DisabledReason | null;

  /**
   * Failed attempts since the last success; tests don't count.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  consecutive_failures: number;

  /** Time of the first of them. */
  @ApiProperty({ example: null })
  failing_since: Date | null;

  /** Nothing is sent before, after failures in a row. */
  @ApiProperty({ example: null })
  paused_until: Date | null;

  /** Kept to the minute. */
  last_success_at: Date | null;

  created_at: Date;

  /**
   * Username.
   * @example "ada"
   */
  created_by: string;

  updated_at: Date;

  /**
   * Username.
   * @example "ada"
   */
  updated_by: string;

  static from(webhook: Webhook): WebhookDto {
    return {
      id: webhook.id,
      name: webhook.name,
      url_endpoint: webhook.urlEndpoint,
      access_token_ref: webhook.accessTokenRef,
      secret_ref: webhook.secretRef,
      enabled: webhook.enabled,
      disabled_reason: webhook.disabledReason,
      consecutive_failures: webhook.consecutiveFailures,
      failing_since: webhook.failingSince,
      paused_until: webhook.pausedUntil,
      last_success_at: webhook.lastSuccessAt,
      created_at: webhook.createdAt,
      created_by: webhook.createdBy,
      updated_at: webhook.updatedAt,
      updated_by: webhook.updatedBy,
    };
  }
}

export class CreateWebhookDto {
  /**
   * Unique in the team.
   * @example "github-dispatch"
   */
  @IsLine(128)
  name: string;

  /**
   * Where events are sent by POST: https on port 443 or 1024 and above, at a public address, without user name and password.
   * The operator may have opened internal receivers and plain http (`WEBHOOK_ALLOWED_HOSTS`).
   * @example "https://api.github.com/repos/weavers/loom/dispatches"
   */
  @IsLine(2048)
  url_endpoint: string;

  /**
   * Name of a secret of the team, to be sent as `Authorization: Bearer ...`; its value must be visible ASCII.
   * @example "GITHUB_TOKEN"
   */
  @IsOptional()
  @IsLine(64)
  access_token_ref?: string | null;

  /**
   * Name of a secret of the team, to sign with. Payloads name it as `$NAME` or `${NAME}`.
   * @example "SIGNING_SECRET"
   */
  @IsOptional()
  @IsLine(64)
  secret_ref?: string | null;

  /** Whether events are sent. A disabled webhook can be tested. */
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean = true;

  static toSettings(dto: CreateWebhookDto): WebhookSettings {
    return {
      name: dto.name,
      urlEndpoint: dto.url_endpoint,
      accessTokenRef: dto.access_token_ref ?? null,
      secretRef: dto.secret_ref ?? null,
      enabled: dto.enabled ?? true,
    };
  }
}

/** What is absent stays as it is. */
export class UpdateWebhookDto {
  /** @example "github-dispatch" */
  @MayBeAbsent()
  @IsLine(128)
  name?: string;

  /** @example "https://api.github.com/repos/weavers/loom/dispatches" */
  @MayBeAbsent()
  @IsLine(2048)
  url_endpoint?: string;

  /**
   * null: no access token is sent any more.
   * @example "GITHUB_TOKEN"
   */
  @IsOptional()
  @IsLine(64)
  access_token_ref?: string | null;

  /**
   * null: nothing is signed any more.
   * @example "SIGNING_SECRET"
   */
  @IsOptional()
  @IsLine(64)
  secret_ref?: string | null;

  /** true also forgets past failures. */
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  static toChanges(dto: UpdateWebhookDto): Partial<WebhookSettings> {
    const changes = {
      name: dto.name,
      urlEndpoint: dto.url_endpoint,
      accessTokenRef: dto.access_token_ref,
      secretRef: dto.secret_ref,
      enabled: dto.enabled,
    };
    return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  }
}

export class TestWebhookDto {
  /**
   * What to send: JSON, or its text, with the placeholders of an automation's payload; nothing sends `{}`. It is not
   * stored. `${entity_name}` is the team, `${event_author}` you, `${event_type}` `TEST`; other variables are empty. A failed
   * test is an answer like any other, and changes nothing.
   */
  @IsPayload()
  payload?: unknown;
}

export class TeamWebhooksPath {
  /**
   * Name of a team of yours: `GET /v1/me` lists them.
   * @example "weavers"
   */
  @IsLine(64)
  team: string;
}

export class WebhookPath extends TeamWebhooksPath {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  @IsUUID()
  id: string;
}
