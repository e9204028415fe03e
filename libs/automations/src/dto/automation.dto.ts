import { type Automation, SCOPE_TYPES, type ScopeType } from '@heddle/database';
import { IsLine, PageQuery } from '@heddle/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, MaxLength, ValidateIf } from 'class-validator';
import { scopeIdOf } from '../automations/automations.service.js';
import { EVENT_TYPES, type EventType } from '../events/event-types.js';
import { EVENT_SCHEMA, FILTER_EXAMPLES } from '../events/event.openapi.js';

const EVENT_EXAMPLE = { event_type: 'ADD_ARTIFACT_ALIAS', filter: FILTER_EXAMPLES.ADD_ARTIFACT_ALIAS };

class ScopeDto {
  @ApiProperty({ enum: SCOPE_TYPES })
  scope_type: ScopeType;

  /**
   * `entity/registry`, `entity/project` or the team's name.
   * @example "weavers/releases"
   */
  scope_id: string;
}

class ActionDto {
  @ApiProperty({ enum: ['Webhooks'] })
  action_type: 'Webhooks';

  /**
   * Owner of the webhook.
   * @example "weavers"
   */
  team: string;

  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  webhook_id: string;

  /** The payload's text. */
  @ApiProperty({ example: '{"text": "${artifact_version_string}"}' })
  request_payload: string;
}

export class AutomationDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /** @example "Deploy what is promoted" */
  name: string;

  /** @example "Tells the deployment pipeline" */
  description: string | null;

  enabled: boolean;

  scope: ScopeDto;

  @ApiProperty({ type: 'object', ...EVENT_SCHEMA, example: EVENT_EXAMPLE } as object)
  event: { event_type: EventType; filter: Record<string, unknown> };

  action: ActionDto;

  /**
   * Username.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  /**
   * Username.
   * @example "ada"
   */
  updated_by: string;

  updated_at: Date;

  static from(automation: Automation): AutomationDto {
    return {
      id: automation.id,
      name: automation.name,
      description: automation.description,
      enabled: automation.enabled,
      scope: { scope_type: automation.scopeType, scope_id: scopeIdOf(automation) },
      event: {
        event_type: automation.eventType as EventType,
        filter: JSON.parse(automation.filter) as Record<string, unknown>,
      },
      action: {
        action_type: 'Webhooks',
        team: automation.actionTeam.name,
        webhook_id: automation.webhookId,
        request_payload: automation.requestPayload,
      },
      created_by: automation.createdBy,
      created_at: automation.createdAt,
      updated_by: automation.updatedBy,
      updated_at: automation.updatedAt,
    };
  }
}

export class AutomationPath {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  id: string;
}

export class ListAutomationsQuery extends PageQuery {
  /** Only automations of one scope, together with `scope_id`. Without it, those of all your teams. */
  @ValidateIf(({ scope_id, scope_type }: ListAutomationsQuery) => scope_id !== undefined || scope_type !== undefined)
  @IsIn(SCOPE_TYPES)
  @ApiProperty({ enum: SCOPE_TYPES, required: false })
  scope_type?: ScopeType;

  /**
   * `entity/registry` or the id of a registry; `entity/project`; name or id of a team.
   * @example "weavers/releases"
   */
  @ValidateIf(({ scope_id, scope_type }: ListAutomationsQuery) => scope_id !== undefined || scope_type !== undefined)
  @IsLine(300)
  @ApiProperty({ required: false })
  scope_id?: string;

  /** Only those that watch, or only those that don't. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  enabled?: boolean;

  /** Only those that watch this. */
  @IsOptional()
  @IsIn(EVENT_TYPES)
  @ApiProperty({ enum: EVENT_TYPES, required: false })
  event_type?: EventType;
}

export class DeleteAutomationQuery {
  /**
   * The automation's name.
   * @example "Deploy what is promoted"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  confirm?: string;
}
