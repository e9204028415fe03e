import { Body, Controller, Get, HttpCode, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, RawBody } from '@heddle/http';
import { ModelPath } from '@heddle/models';
import { TRAJECTORY_BODY_LIMIT, TrajectoryBodiesService } from '../trajectories/trajectory-bodies.service.js';
import { streamedLog } from './streamed-log.js';
import { ListTrajectoryLogsQuery, TrajectoryLogDto, TrajectoryLogPath } from './trajectory-log.dto.js';
import { LOG_EXAMPLE, LoggedTrajectories, LogTrajectories } from './trajectory-log.schema.js';
import { TrajectoryLogsService } from './trajectory-logs.service.js';

const NOT_FOUND = 'There is no such model, or you have no role in its project.';

@Controller('v1/preview/models/:model_id')
@Authenticated('bearer')
@ApiTags('models')
export class TrajectoryLogsController {
  constructor(
    private readonly logs: TrajectoryLogsService,
    private readonly bodies: TrajectoryBodiesService,
  ) {}

  /**
   * Logs trajectories: keeps them, and records their metrics at the model's step. Project members only.
   *
   * @remarks `<split>/reward` is the mean reward, `<split>/reward_std_dev` the mean over groups of more than one trajectory of the
   * population standard deviation, `<split>/exception_rate` exceptions / (trajectories + exceptions); of every other metric the
   * mean over the trajectories that have it, booleans as 0 and 1. They go into the model's run, where metric automations see
   * them, and into the metrics of its latest checkpoint.
   */
  @Post('log')
  @HttpCode(200)
  @RawBody({ mebibytes: TRAJECTORY_BODY_LIMIT })
  @ApiBody({ schema: { ...LogTrajectories }, examples: { example: { value: LOG_EXAMPLE } } })
  @ApiErrors({
    403: 'You may only read in this project.',
    404: NOT_FOUND,
    413: `The body has more than ${TRAJECTORY_BODY_LIMIT} MiB.`,
    422: 'The body is no JSON, or a trajectory is not valid: each place is named.',
  })
  async log(
    @Caller() caller: Principal,
    @Param() { model_id }: ModelPath,
    @Body() body: Buffer,
  ): Promise<TrajectoryLogDto> {
    return TrajectoryLogDto.from(await this.logs.log(caller, model_id, body));
  }

  /** Lists what was logged of a model. */
  @Get('trajectories')
  @ApiPage(TrajectoryLogDto)
  @ApiErrors({ 404: NOT_FOUND, 422: 'The query is not valid, or nothing that was logged has the id `after`.' })
  async list(
    @Caller() caller: Principal,
    @Param() { model_id }: ModelPath,
    @Query() query: ListTrajectoryLogsQuery,
  ): Promise<Page<TrajectoryLogDto>> {
    return pageOf((await this.logs.list(caller, model_id, query, query)).map(TrajectoryLogDto.from), query.limit);
  }

  /** Shows trajectories that were logged, as they were sent. */
  @Get('trajectories/:log_id')
  @ApiOkResponse({ content: { 'application/json': { schema: { ...LoggedTrajectories } } } })
  @ApiErrors({
    404: 'There are no such trajectories, or you have no role in the project.',
    422: 'An id is not a uuid.',
  })
  async get(@Caller() caller: Principal, @Param() { model_id, log_id }: TrajectoryLogPath): Promise<StreamableFile> {
    const log = await this.logs.get(caller, model_id, log_id);
    return streamedLog(log, this.bodies.text(log.path));
  }
}
