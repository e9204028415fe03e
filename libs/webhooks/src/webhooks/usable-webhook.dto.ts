import type { Webhook } from '@heddle/database';
import { IsLine, PageQuery } from '@heddle/http';
import { IsOptional } from 'class-validator';

export class UsableWebhookDto {
  /** @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  id: string;

  /** @example "deploy" */
  name: string;

  /**
   * Name of the team that owns it: `action.team` of an automation.
   * @example "weavers"
   */
  team: string;

  /** Whether events are sent. */
  enabled: boolean;

  /** @param webhook with its team */
  static from({ id, name, team, enabled }: Webhook): UsableWebhookDto {
    return { id, name, team: team.name, enabled };
  }
}

export class ListUsableWebhooksQuery extends PageQuery {
  /**
   * Only those of this team.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(64)
  team?: string;
}
