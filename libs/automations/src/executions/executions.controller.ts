import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { NO_AUTOMATION, NOT_ADMIN } from '../automations/automations.controller.js';
import { AttemptDto } from '../dto/attempt.dto.js';
import { AutomationPath } from '../dto/automation.dto.js';
import {
  ExecutionDto,
  ExecutionPath,
  ListExecutionsQuery,
  ListScopeExecutionsQuery,
  RecoverDto,
  RecoveredDto,
} from '../dto/execution.dto.js';
import { ExecutionsService } from './executions.service.js';

const NO_EXECUTION = 'There is no such execution, or you may not know of its automation.';

@Controller('v1')
@Authenticated('bearer')
@ApiTags('deliveries')
export class ExecutionsController {
  constructor(private readonly executions: ExecutionsService) {}

  /** Lists what an automation did: an item for each event that it fired on. */
  @Get('automations/:id/executions')
  @ApiPage(ExecutionDto)
  @ApiErrors({
    404: NO_AUTOMATION,
    422: 'The query is not valid, or the automation has no execution with the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() { id }: AutomationPath,
    @Query() query: ListExecutionsQuery,
  ): Promise<Page<ExecutionDto>> {
    return pageOf((await this.executions.list(caller, id, query, query)).map(ExecutionDto.from), query.limit);
  }

  /**
   * Lists what the automations of one registry, project or team did, newest first, or all that you may see: what failed,
   * why, and when it is tried again.
   */
  @Get('executions')
  @ApiPage(ExecutionDto)
  @ApiErrors({
    404: 'There is no such registry, project or team, or you may not know of it.',
    422: 'The query is not valid, or the list has no execution with the id `after`.',
  })
  async listAll(@Caller() caller: Principal, @Query() query: ListScopeExecutionsQuery): Promise<Page<ExecutionDto>> {
    const { scope_type, scope_id, webhook_id: webhookId, ...filter } = query;
    const scope = scope_type && scope_id ? { scope_type, scope_id } : undefined;
    const executions = await this.executions.listAll(caller, scope, { ...filter, webhookId }, query);
    return pageOf(executions.map(ExecutionDto.from), query.limit);
  }

  /** Shows an execution. */
  @Get('executions/:id')
  @ApiErrors({ 404: NO_EXECUTION, 422: 'The id is not a uuid.' })
  async get(@Caller() caller: Principal, @Param() { id }: ExecutionPath): Promise<ExecutionDto> {
    return ExecutionDto.from(await this.executions.get(caller, id));
  }

  /** Lists the requests of an execution and what the receiver answered, secrets masked. Administrators of the scope only. */
  @Get('executions/:id/attempts')
  @ApiPage(AttemptDto)
  @ApiErrors({
    403: NOT_ADMIN,
    404: NO_EXECUTION,
    422: 'The query is not valid, or the execution has no attempt with the id `after`.',
  })
  async listAttempts(
    @Caller() caller: Principal,
    @Param() { id }: ExecutionPath,
    @Query() query: PageQuery,
  ): Promise<Page<AttemptDto>> {
    return pageOf((await this.executions.listAttempts(caller, id, query)).map(AttemptDto.from), query.limit);
  }

  /**
   * Delivers an execution again, whether it failed, was skipped or succeeded, or now if it waits for its next attempt.
   * Administrators of the scope only.
   *
   * @remarks A new round of attempts with the same `webhook-id`, to the webhook and with the payload that the automation
   * has now. It ends a pause of the webhook.
   */
  @Post('executions/:id/redeliver')
  @HttpCode(202)
  @ApiErrors({
    403: NOT_ADMIN,
    404: NO_EXECUTION,
    409: "It is being delivered now, or the automation's webhook is disabled or deleted.",
    422: 'The id is not a uuid.',
  })
  async redeliver(@Caller() caller: Principal, @Param() { id }: ExecutionPath): Promise<ExecutionDto> {
    return ExecutionDto.from(await this.executions.redeliver(caller, id));
  }

  /**
   * Delivers again what failed or was skipped for a webhook in a span of time, and now what waits for its next attempt.
   * Administrators of its team only.
   *
   * @remarks It ends a pause of the webhook.
   */
  @Post('webhooks/:id/recover')
  @HttpCode(202)
  @ApiErrors({
    403: 'You are not an administrator of the team that owns the webhook.',
    404: 'None of your teams has this webhook.',
    409: 'The webhook is disabled.',
    422: 'The id is not a uuid, or a time is not valid.',
  })
  async recover(
    @Caller() caller: Principal,
    @Param() { id }: ExecutionPath,
    @Body() { since, until }: RecoverDto,
  ): Promise<RecoveredDto> {
    return { recovered: await this.executions.recover(caller, id, since, until) };
  }
}
