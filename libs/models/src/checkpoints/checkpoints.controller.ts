import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { ModelPath } from '../models/model.dto.js';
import { CheckpointDto, DeleteCheckpointsDto, DeletedCheckpointsDto } from './checkpoint.dto.js';
import { CheckpointsService } from './checkpoints.service.js';

const NOT_FOUND = 'There is no such model, or you have no role in its project.';

@Controller('v1/preview/models/:model_id/checkpoints')
@Authenticated('bearer')
@ApiTags('models')
export class CheckpointsController {
  constructor(private readonly checkpoints: CheckpointsService) {}

  /**
   * Lists the checkpoints of a model, by step.
   *
   * @remarks With `limit=1&order=desc`, the latest one. An empty list means that the model is at step 0.
   */
  @Get()
  @ApiPage(CheckpointDto)
  @ApiErrors({ 404: NOT_FOUND, 422: 'The query is not valid, or no checkpoint of the model has the id `after`.' })
  async list(
    @Caller() caller: Principal,
    @Param() { model_id }: ModelPath,
    @Query() query: PageQuery,
  ): Promise<Page<CheckpointDto>> {
    return pageOf((await this.checkpoints.list(caller, model_id, query)).map(CheckpointDto.from), query.limit);
  }

  /**
   * Deletes checkpoints with their artifact versions, for good. Project members only.
   *
   * @remarks All that there are, or none where one is in use, unless `force` is set. Their steps are not used again. Once all
   * are gone, the model's name answers no chat, and its next training begins from the base model.
   */
  @Delete()
  @ApiBody({ type: DeleteCheckpointsDto })
  @ApiErrors({
    400: 'A checkpoint is the latest, or is being served or trained from, or a job compares with it, or a registry links its version (also with `force`).',
    403: 'You may only read in this project.',
    404: NOT_FOUND,
    422: 'The steps are no list of integers.',
  })
  async delete(
    @Caller() caller: Principal,
    @Param() { model_id }: ModelPath,
    @Body() { steps, force }: DeleteCheckpointsDto,
  ): Promise<DeletedCheckpointsDto> {
    return DeletedCheckpointsDto.from(await this.checkpoints.delete(caller, model_id, steps, force ?? false));
  }
}
