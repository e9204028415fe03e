import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { AuditEntryDto, ListAuditQuery } from './audit-entry.dto.js';
import { AuditLogService } from './audit-log.service.js';

@Controller('v1/audit-log')
@Authenticated('bearer')
@ApiTags('accounts')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * Lists who changed what and when, newest first. Administrators of the instance see all of it, those of a team what was
   * done there.
   *
   * @remarks Names of fields are kept, never what they hold. Entries go after `AUDIT_RETENTION_DAYS`.
   */
  @Get()
  @ApiPage(AuditEntryDto)
  @ApiErrors({
    403: 'You are no administrator of the instance, nor of the team, nor of any.',
    404: 'There is no such team, or you are not a member.',
    422: 'The query is not valid, or the list has no entry with the id `after`.',
  })
  async list(@Caller() caller: Principal, @Query() query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    return pageOf((await this.log.list(caller, query, query)).map(AuditEntryDto.from), query.limit);
  }
}
