import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { readAutomationUpdate, readNewAutomation } from '../dto/automation-body.js';
import { AutomationDto, AutomationPath, DeleteAutomationQuery, ListAutomationsQuery } from '../dto/automation.dto.js';
import { ApiAutomationUpdate, ApiNewAutomation } from '../dto/automation.openapi.js';
import { AutomationsService } from './automations.service.js';

export const NO_AUTOMATION = 'There is no such automation, or you may not know of its scope.';
export const NOT_ADMIN = 'You are not an administrator of the registry, project or team: the answer names the role.';
const INVALID =
  'A field is not valid, the event does not happen in this scope, a pattern is none of RE2, the team has no such webhook, or the payload names an unknown variable: the answer says where.';

@Controller('v1/automations')
@Authenticated('bearer')
@ApiTags('automations')
export class AutomationsController {
  constructor(private readonly automations: AutomationsService) {}

  /**
   * Creates an automation: for each event that matches, one signed request is sent to a webhook.
   *
   * @remarks Registry administrators make automations of a registry, project administrators those of a project, team
   * administrators those of a team. The webhook is one of a team that you are a member of.
   *
   * A receiver that calls this API because of a delivery should send the `x-heddle-cause` that it got as the header
   * `x-caused-by-execution`: automations that lead to themselves again stop after a few rounds.
   */
  @Post()
  @ApiNewAutomation()
  @ApiErrors({
    403: NOT_ADMIN,
    404: 'There is no such registry, project or team, or you may not know of it.',
    409: 'The scope has as many automations as it may have.',
    422: INVALID,
  })
  async create(@Caller() caller: Principal, @Body() body: unknown): Promise<AutomationDto> {
    return AutomationDto.from(await this.automations.create(caller, readNewAutomation(body)));
  }

  /** Lists the automations of one registry, project or team that you may read, or those of all your teams. */
  @Get()
  @ApiPage(AutomationDto)
  @ApiErrors({
    404: 'There is no such registry, project or team, or you may not know of it.',
    422: 'The query is not valid, or the list has no automation with the id `after`.',
  })
  async list(@Caller() caller: Principal, @Query() query: ListAutomationsQuery): Promise<Page<AutomationDto>> {
    const { scope_type, scope_id, enabled, event_type: eventType } = query;
    const scope = scope_type && scope_id ? { scope_type, scope_id } : undefined;
    const automations = await this.automations.list(caller, scope, { enabled, eventType }, query);
    return pageOf(automations.map(AutomationDto.from), query.limit);
  }

  /** Shows an automation. */
  @Get(':id')
  @ApiErrors({ 404: NO_AUTOMATION, 422: 'The id is not a uuid.' })
  async get(@Caller() caller: Principal, @Param() { id }: AutomationPath): Promise<AutomationDto> {
    return AutomationDto.from(await this.automations.get(caller, id));
  }

  /**
   * Changes an automation, or enables and disables it. What the body does not name stays, every input of the filter too.
   *
   * @remarks Deliveries that are still to be tried again use the new payload; what was fired stays fired.
   */
  @Patch(':id')
  @ApiAutomationUpdate()
  @ApiErrors({ 403: NOT_ADMIN, 404: NO_AUTOMATION, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() { id }: AutomationPath,
    @Body() body: unknown,
  ): Promise<AutomationDto> {
    return AutomationDto.from(await this.automations.update(caller, id, readAutomationUpdate(body)));
  }

  /** Deletes an automation with its history, for good, once its name confirms it. */
  @Delete(':id')
  @HttpCode(204)
  @ApiErrors({
    403: NOT_ADMIN,
    404: NO_AUTOMATION,
    409: "`confirm` is missing, or is not the automation's name.",
    422: 'The id is not a uuid.',
  })
  async delete(
    @Caller() caller: Principal,
    @Param() { id }: AutomationPath,
    @Query() { confirm }: DeleteAutomationQuery,
  ): Promise<void> {
    await this.automations.delete(caller, id, confirm);
  }
}
