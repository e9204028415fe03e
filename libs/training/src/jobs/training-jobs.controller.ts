import { Readable } from 'node:stream';
import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, RawBody } from '@heddle/http';
import { RL_JOB_EXAMPLE, RlJobBody, TrajectoriesBody } from './rl/rl-job.openapi.js';
import {
  ListAllTrainingJobsQuery,
  ListTrainingJobsQuery,
  ModelJobsPath,
  TrainingJobDto,
  TrainingJobPath,
} from './training-job.dto.js';
import { KEY_DESCRIPTION } from './request-key.js';
import { RlJobsService } from './rl/rl-jobs.service.js';
import { TrainingJobsService } from './training-jobs.service.js';
import { TRAJECTORY_BODY_LIMIT } from '../trajectories/trajectory-bodies.service.js';

const NO_MODEL = 'There is no such model, or you have no role in its project.';
const NO_JOB = 'There is no such job, or you have no role in its project.';

@Controller('v1/preview')
@Authenticated('bearer')
@ApiTags('training')
export class TrainingJobsController {
  constructor(
    private readonly jobs: TrainingJobsService,
    private readonly rlJobs: RlJobsService,
  ) {}

  /**
   * Trains a model on scored trajectories (reinforcement learning). Project members only.
   *
   * @remarks The job waits for the model's earlier ones; follow it at `.../events`. It adds one checkpoint, also where nothing
   * could be learnt: groups of one trajectory, or of equal rewards, or choices without logprobs. The same body sent twice is
   * two jobs, unless both have the same `Idempotency-Key` or `client_job_id`: then it is one. Unknown keys are nobody's mistake, and null is an absent field.
   */
  @Post('training-jobs')
  @HttpCode(200)
  @RawBody({ mebibytes: TRAJECTORY_BODY_LIMIT })
  @ApiBody({ schema: { ...RlJobBody }, examples: { example: { value: RL_JOB_EXAMPLE } } })
  @ApiHeader({ name: 'idempotency-key', required: false, description: KEY_DESCRIPTION })
  @ApiErrors({
    403: 'You may only read in this project.',
    404: NO_MODEL,
    413: `The body has more than ${TRAJECTORY_BODY_LIMIT} MiB.`,
    422: 'A field is not valid: each place is named.',
  })
  async create(
    @Caller() caller: Principal,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: Buffer,
  ): Promise<TrainingJobDto> {
    return TrainingJobDto.from(await this.rlJobs.create(caller, body, key));
  }

  /** Lists the jobs of all models that you may see, newest first. */
  @Get('training-jobs')
  @ApiPage(TrainingJobDto)
  @ApiErrors({ 422: 'The query is not valid, or the list has no job with the id `after`.' })
  async listAll(@Caller() caller: Principal, @Query() query: ListAllTrainingJobsQuery): Promise<Page<TrainingJobDto>> {
    const { model_id: modelId, ...filter } = query;
    const jobs = await this.jobs.listAll(caller, { ...filter, modelId }, query);
    return pageOf(jobs.map(TrainingJobDto.from), query.limit);
  }

  /** Shows a job. */
  @Get('training-jobs/:training_job_id')
  @ApiErrors({ 404: NO_JOB, 422: 'The id is not a UUID.' })
  async get(@Caller() caller: Principal, @Param() { training_job_id: id }: TrainingJobPath): Promise<TrainingJobDto> {
    return TrainingJobDto.from(await this.jobs.get(caller, id));
  }

  /**
   * Cancels a job. Project members only.
   *
   * @remarks One that waits is over at once, one that runs within two seconds: it is `CANCELLED` then, its last event
   * `training_failed`, and there is no checkpoint of it. One that has ended stays as it is.
   */
  @Post('training-jobs/:training_job_id/cancel')
  @HttpCode(200)
  @ApiErrors({ 403: 'You may only read in this project.', 404: NO_JOB, 422: 'The id is not a UUID.' })
  async cancel(
    @Caller() caller: Principal,
    @Param() { training_job_id: id }: TrainingJobPath,
  ): Promise<TrainingJobDto> {
    return TrainingJobDto.from(await this.jobs.cancel(caller, id));
  }

  /** Gives back the trajectories of a reinforcement-learning job, as they were sent. */
  @Get('training-jobs/:training_job_id/trajectories')
  @ApiOkResponse({ content: { 'application/json': { schema: { ...TrajectoriesBody } } } })
  @ApiErrors({ 404: `${NO_JOB} Or it is a fine-tuning job.`, 422: 'The id is not a UUID.' })
  async trajectories(
    @Caller() caller: Principal,
    @Param() { training_job_id: id }: TrainingJobPath,
  ): Promise<StreamableFile> {
    const json = await this.rlJobs.trajectories(caller, id);
    return new StreamableFile(Readable.from(json, { objectMode: false }), { type: 'application/json' });
  }

  /** Lists the jobs of a model, oldest first. */
  @Get('models/:model_id/training-jobs')
  @ApiPage(TrainingJobDto)
  @ApiErrors({ 404: NO_MODEL, 422: 'The query is not valid.' })
  async list(
    @Caller() caller: Principal,
    @Param() { model_id: modelId }: ModelJobsPath,
    @Query() query: ListTrainingJobsQuery,
  ): Promise<Page<TrainingJobDto>> {
    const { state, ...page } = query;
    const jobs = await this.jobs.list(caller, modelId, state, page);
    return pageOf(jobs.map(TrainingJobDto.from), query.limit);
  }
}
