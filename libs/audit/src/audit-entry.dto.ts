import { AUDIT_OUTCOMES, type AuditEntry, type AuditOutcome } from '@heddle/database';
import { IsLine, IsTime, PageQuery } from '@heddle/http';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

export class AuditEntryDto {
  /** @example "3b6f0a52-8c1d-4e0b-9f43-5a7d2c9e1b04" */
  id: string;

  created_at: Date;

  /**
   * Username of who did it.
   * @example "ada"
   */
  actor: string;

  /**
   * Name of the team, at that time; null where it is about none.
   * @example "weavers"
   */
  @ApiProperty({ type: 'string', nullable: true })
  team: string | null;

  /**
   * The operation, as this description calls it; of GraphQL, the mutation: `Graphql_deleteRun`.
   * @example "Webhooks_update"
   */
  action: string;

  /** @example "PATCH" */
  method: string;

  /** @example "/v1/teams/weavers/webhooks/8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88" */
  path: string;

  /**
   * What the body named.
   * @example ["enabled"]
   */
  fields: string[];

  /**
   * Id or name of what was made or changed, where the answer told it; of GraphQL, where it is.
   * @example "8d6f4a2e-3c1b-4f5a-9e7d-2b0c6a1f4e88"
   */
  @ApiProperty({ type: 'string', nullable: true })
  subject: string | null;

  /** `REFUSED`: the role is missing; `FAILED`: a fault of the server; `UNKNOWN`: the server died before the end. */
  @ApiProperty({ enum: AUDIT_OUTCOMES, example: 'DONE' })
  outcome: AuditOutcome;

  /** Also in the answer's `x-request-id`, and in the server's log. */
  request_id: string;

  static from(entry: AuditEntry): AuditEntryDto {
    return {
      id: entry.id,
      created_at: entry.createdAt,
      actor: entry.username,
      team: entry.team,
      action: entry.action,
      method: entry.method,
      path: entry.path,
      fields: entry.fields,
      subject: entry.subject,
      outcome: entry.outcome,
      request_id: entry.requestId,
    };
  }
}

export class ListAuditQuery extends PageQuery {
  /** By time: newest first (`desc`) or oldest first (`asc`). */
  @ApiPropertyOptional()
  @IsIn(['asc', 'desc'])
  override order: 'asc' | 'desc' = 'desc';

  /**
   * Only what was done in this team.
   * @example "weavers"
   */
  @IsOptional()
  @IsLine(64)
  team?: string;

  /**
   * Only what this user did.
   * @example "ada"
   */
  @IsOptional()
  @IsLine(64)
  actor?: string;

  /**
   * Only this operation.
   * @example "Webhooks_update"
   */
  @IsOptional()
  @IsLine(128)
  action?: string;

  @IsOptional()
  @IsIn(AUDIT_OUTCOMES)
  @ApiProperty({ enum: AUDIT_OUTCOMES, required: false })
  outcome?: AuditOutcome;

  /**
   * Only what was done at or after this time.
   * @example "2026-01-31T12:00:00Z"
   */
  @IsOptional()
  @IsTime()
  since?: Date;

  /**
   * Only what was done at or before this time.
   * @example "2026-02-01T12:00:00Z"
   */
  @IsOptional()
  @IsTime()
  until?: Date;
}
