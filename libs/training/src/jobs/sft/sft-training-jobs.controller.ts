import { Body, Controller, Headers, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiTags } from '@nestjs/swagger';
import { incomingOf } from '@heddle/artifacts';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, StreamedBody } from '@heddle/http';
import type { Request } from 'express';
import { UPLOAD_LIMIT } from './sft-uploads.service.js';
import { CreateSftJobDto, UploadSftJobQuery } from './create-job.dto.js';
import { TrainingJobDto } from '../training-job.dto.js';
import { KEY_DESCRIPTION, readRequestKey } from '../request-key.js';
import { SftJobsService } from './sft-jobs.service.js';

const FORBIDDEN = 'You may only read in this project.';
const KEY_HEADER = { name: 'idempotency-key', required: false, description: KEY_DESCRIPTION };
const LINES_EXAMPLE =
  '{"messages": [{"role": "user", "content": "Who wove it?"}, {"role": "assistant", "content": "Ada."}]}\n';

@Controller('v1/preview/sft-training-jobs')
@Authenticated('bearer')
@ApiTags('training')
export class SftTrainingJobsController {
  constructor(private readonly jobs: SftJobsService) {}

  /**
   * Trains a model on examples that an artifact holds (supervised fine-tuning). Project members only.
   *
   * @remarks Only what the assistant says is learnt, and of it nothing that is marked with `"weight": 0` or `"loss_mask": 0`;
   * a `loss_mask` beside `messages` has one entry for each of them. Calls may have `arguments` as JSON text or as an object, and
   * the older `functions` and `function_call` are read. `chat_template_kwargs` are variables for the chat template. Keys that
   * nobody reads are counted in `warnings`, and as `num_unknown_keys` in the metrics of each gradient step.
   *
   * The job waits for the model's earlier ones; follow it at `/v1/preview/training-jobs/{id}/events`. A line that is no example
   * fails the job, and its `training_failed` names line and place.
   *
   * With `metric_logging` `{"enabled": true, "target_training_step"?: 3}` in `config` the model's run shows the newest gradient
   * step while the job runs, as `sft/loss`, `sft/gradient_step`, ...: at that step, or else at that of the checkpoint to come.
   */
  @Post()
  @HttpCode(200)
  @ApiHeader(KEY_HEADER)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such model or artifact, or you have no role in its project.',
    422: 'A field is not valid, the artifact holds no .jsonl file, or there are more or fewer learning rates than batches.',
  })
  async create(
    @Caller() caller: Principal,
    @Headers('idempotency-key') key: string | undefined,
    @Body() dto: CreateSftJobDto,
  ): Promise<TrainingJobDto> {
    const request = {
      modelId: dto.model_id,
      trainingDataUrl: dto.training_data_url,
      config: dto.config,
      experimentalConfig: dto.experimental_config,
      requestKey: readRequestKey(key, dto.client_job_id, ['body', 'client_job_id']),
    };
    return TrainingJobDto.from(await this.jobs.create(caller, request));
  }

  /**
   * Trains a model on the examples of the request's body: one line for each. Project members only.
   *
   * @remarks The body is kept as a version of the artifact `<model>-sft-data`. It is read as that of an artifact is, and at
   * once: bad lines are named, and then nothing is kept: `["body", "line 3", "messages", "0", "role"]`.
   */
  @Post('upload')
  @HttpCode(200)
  @StreamedBody()
  @ApiHeader(KEY_HEADER)
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: { type: 'string', example: LINES_EXAMPLE } })
  @ApiErrors({
    400: 'The upload broke off.',
    403: FORBIDDEN,
    404: 'There is no such model, or you have no role in its project.',
    409: 'The project has artifacts of another type under the name for the data.',
    413: `The body has more than ${UPLOAD_LIMIT} MiB.`,
    422: 'The query is not valid, or lines are no examples: each is named.',
    503: 'There is no room for the data.',
  })
  async upload(
    @Caller() caller: Principal,
    @Headers('idempotency-key') key: string | undefined,
    @Query() { model_id: modelId, client_job_id: clientJobId, ...config }: UploadSftJobQuery,
    @Req() request: Request,
  ): Promise<TrainingJobDto> {
    const requestKey = readRequestKey(key, clientJobId, ['query', 'client_job_id']);
    return TrainingJobDto.from(
      await this.jobs.createFromUpload(caller, modelId, config, requestKey, incomingOf(request)),
    );
  }
}
