import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, clientLeft, pageOf } from '@heddle/http';
import type { Request, Response } from 'express';
import { ListTrainingEventsQuery, TrainingJobEventDto } from './training-job-event.dto.js';
import { TrainingJobPath } from '../jobs/training-job.dto.js';
import { TrainingEventStream } from './training-event.stream.js';
import { TrainingEventsService } from './training-events.service.js';

const EVENT_STREAM = 'text/event-stream';

@Controller('v1/preview/training-jobs/:training_job_id/events')
@Authenticated('bearer')
@ApiTags('training')
export class TrainingJobEventsController {
  constructor(
    private readonly events: TrainingEventsService,
    private readonly stream: TrainingEventStream,
  ) {}

  /**
   * Lists the events of a job, oldest first.
   *
   * @remarks `training_started` comes first and says how many `gradient_step` will follow; the last one is `training_ended`
   * or, also for a job that was cancelled, `training_failed`. Every job has a last one. With `Accept: text/event-stream` the
   * answer follows the job until then: each event as a server-sent event of its type, its id the cursor, its data as in the
   * list.
   */
  @Get()
  @ApiPage(TrainingJobEventDto)
  @ApiHeader({ name: 'last-event-id', required: false, description: 'As `after`, for clients that come back' })
  @ApiErrors({
    404: 'There is no such job, or you have no role in its project.',
    422: 'The query is not valid, or the job has no event with that id.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() { training_job_id: id }: TrainingJobPath,
    @Query() { after, limit }: ListTrainingEventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (request.accepts(['application/json', EVENT_STREAM]) === EVENT_STREAM) {
      const position = await this.events.positionOf(caller, id, lastEventId ?? after);
      return send(response, (left) => this.stream.follow(id, position, left));
    }
    const events = await this.events.list(caller, id, after, limit);
    response.json(pageOf(events.map(TrainingJobEventDto.from), limit));
  }
}

async function send(response: Response, follow: (left: AbortSignal) => AsyncGenerator<string>): Promise<void> {
  // Proxies that gather what passes would keep the events.
  response.status(200).set({ 'content-type': EVENT_STREAM, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  // Who leaves early is no failure.
  await pipeline(Readable.from(follow(clientLeft(response)), { objectMode: false }), response).catch(() =>
    response.destroy(),
  );
}
