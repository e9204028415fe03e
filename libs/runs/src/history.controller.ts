import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, RawBody } from '@heddle/http';
import {
  HistoryQuery,
  HistoryStepDto,
  LoggedHistoryDto,
  RunSummaryDto,
  SampledHistoryDto,
  SampledHistoryQuery,
} from './dto/history.dto.js';
import { RunPath } from './dto/run.dto.js';
import { readPoints } from './history-body.js';
import { LOG_HISTORY_EXAMPLE, LogHistory } from './history.schema.js';
import { RunHistoryService } from './run-history.service.js';
import { RunsService } from './runs.service.js';

const NOT_FOUND = 'There is no such run or project, or you have no role in the project.';
/** 100,000 values with long names. */
const BODY_LIMIT_MIB = 16;

@Controller('v1/projects/:entity/:project/runs/:run')
@Authenticated('bearer')
@ApiTags('runs')
export class HistoryController {
  constructor(
    private readonly runs: RunsService,
    private readonly history: RunHistoryService,
  ) {}

  /**
   * Logs metrics of a run: up to 10,000 points and 100,000 values at once. Project members only.
   *
   * @remarks A metric has one value at each step: a later one replaces it, so that a request whose points name their steps may be
   * sent again. A point without a step gets the one after the run's greatest. Metric automations judge the new values. Values may be
   * NaN and infinite: bare, as Python's `json` writes them, or as the texts `"NaN"`, `"Infinity"` and `"-Infinity"`, which is how
   * they are answered.
   */
  @Post('history')
  @HttpCode(200)
  @RawBody({ mebibytes: BODY_LIMIT_MIB })
  @ApiBody({ schema: { ...LogHistory }, examples: { example: { value: LOG_HISTORY_EXAMPLE } } })
  @ApiErrors({
    403: 'You may only read in this project.',
    404: NOT_FOUND,
    413: `The body has more than ${BODY_LIMIT_MIB} MiB.`,
    422: 'A point is not valid: each place is named.',
  })
  async log(@Caller() caller: Principal, @Param() path: RunPath, @Body() body: Buffer): Promise<LoggedHistoryDto> {
    return LoggedHistoryDto.from(await this.runs.log(caller, path, await readPoints(body)));
  }

  /** Lists what a run logged, a step an item. */
  @Get('history')
  @ApiPage(HistoryStepDto)
  @ApiErrors({ 404: NOT_FOUND, 422: 'The query is not valid.' })
  async list(
    @Caller() caller: Principal,
    @Param() path: RunPath,
    @Query() query: HistoryQuery,
  ): Promise<Page<HistoryStepDto>> {
    return pageOf((await this.history.list(caller, path, query)).map(HistoryStepDto.from), query.limit);
  }

  /** Shows metrics of a run for a chart: of each, the values at evenly chosen steps, the first and the last among them. */
  @Get('history/sampled')
  @ApiErrors({ 404: NOT_FOUND, 422: 'The query is not valid.' })
  async sample(
    @Caller() caller: Principal,
    @Param() path: RunPath,
    @Query() query: SampledHistoryQuery,
  ): Promise<SampledHistoryDto> {
    return SampledHistoryDto.from(await this.history.sample(caller, path, query));
  }

  /** Shows the last, the least and the greatest value of each metric of a run. */
  @Get('summary')
  @ApiErrors({ 404: NOT_FOUND, 422: 'A name is not valid.' })
  async summarize(@Caller() caller: Principal, @Param() path: RunPath): Promise<RunSummaryDto> {
    return RunSummaryDto.from(await this.history.summarize(caller, path));
  }
}
