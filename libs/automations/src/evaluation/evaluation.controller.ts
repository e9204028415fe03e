import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { NO_AUTOMATION, NOT_ADMIN } from '../automations/automations.controller.js';
import { AutomationPath } from '../dto/automation.dto.js';
import { AutomationEventDto, EvaluateDto, EvaluationDto } from '../dto/evaluation.dto.js';
import { SAMPLE_EXAMPLES } from '../dto/evaluation.openapi.js';
import { EvaluationService } from './evaluation.service.js';

@Controller('v1/automations/:id')
@Authenticated('bearer')
@ApiTags('automations')
export class EvaluationController {
  constructor(private readonly evaluation: EvaluationService) {}

  /**
   * Tries an automation out, and sends nothing.
   *
   * @remarks Says of an event whether it fires the automation; if not, which of its checks it fails; and what would be sent, with
   * secrets masked. The event is one that happened (`event_id`) or one made up from the other fields. Metrics of a run
   * that exists are judged by the values it has now. Administrators of the scope only.
   */
  @Post('evaluate')
  @HttpCode(200)
  @ApiBody({ type: EvaluateDto, examples: SAMPLE_EXAMPLES })
  @ApiErrors({
    403: NOT_ADMIN,
    404: `${NO_AUTOMATION} Or its scope has no event \`event_id\`.`,
    422: 'A field is not valid.',
  })
  async evaluate(
    @Caller() caller: Principal,
    @Param() { id }: AutomationPath,
    @Body() { event_id: eventId, ...sample }: EvaluateDto,
  ): Promise<EvaluationDto> {
    return EvaluationDto.from(await this.evaluation.evaluate(caller, id, eventId, sample));
  }

  /** Lists events of the kind that an automation watches, as they happened in its scope, whether it fired or not. */
  @Get('events')
  @ApiPage(AutomationEventDto)
  @ApiErrors({
    404: NO_AUTOMATION,
    422: 'The query is not valid, or there is no such event with the id `after`.',
  })
  async listEvents(
    @Caller() caller: Principal,
    @Param() { id }: AutomationPath,
    @Query() query: PageQuery,
  ): Promise<Page<AutomationEventDto>> {
    return pageOf((await this.evaluation.listEvents(caller, id, query)).map(AutomationEventDto.from), query.limit);
  }
}
