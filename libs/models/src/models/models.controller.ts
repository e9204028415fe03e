import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { ModelDeletionService } from './model-deletion.service.js';
import { DeletedModelDto, ListModelsQuery, ModelDto, ModelPath, RegisterModelDto } from './model.dto.js';
import { ModelsService } from './models.service.js';

const FORBIDDEN = 'You may only read in this project.';
const NOT_FOUND = 'There is no such model, or you have no role in its project.';

@Controller('v1/preview/models')
@Authenticated('bearer')
@ApiTags('models')
export class ModelsController {
  constructor(
    private readonly models: ModelsService,
    private readonly deletion: ModelDeletionService,
  ) {}

  /**
   * Registers a model to train: an adapter on a base model, at step 0. Project members only.
   *
   * @remarks With it come a run for its metrics and a collection for its checkpoints, both of its name, and the project where
   * there is none. With `return_existing` it may be sent as often as you like.
   */
  @Post()
  @HttpCode(200)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such team, or you are not a member.',
    409: 'The project has a model of that name, and `return_existing` is not set, or that model has another LoRA rank.',
    422: 'A field is not valid, there is no such base model (the answer names those that exist), it allows no such LoRA rank, the existing model is on another base (the answer names both), or you have no default team.',
  })
  async register(@Caller() caller: Principal, @Body() dto: RegisterModelDto): Promise<ModelDto> {
    return ModelDto.from(await this.models.register(caller, RegisterModelDto.toRegistration(dto)));
  }

  /** Lists the models that you may see. */
  @Get()
  @ApiPage(ModelDto)
  @ApiErrors({ 422: 'The query is not valid, or no model has the id `after`.' })
  async list(@Caller() caller: Principal, @Query() query: ListModelsQuery): Promise<Page<ModelDto>> {
    const models = await this.models.list(caller, ListModelsQuery.toFilter(query), query);
    return pageOf(models.map(ModelDto.from), query.limit);
  }

  /** Shows a model. */
  @Get(':model_id')
  @ApiErrors({ 404: NOT_FOUND, 422: 'The id is not a uuid.' })
  async get(@Caller() caller: Principal, @Param() { model_id }: ModelPath): Promise<ModelDto> {
    return ModelDto.from(await this.models.get(caller, model_id));
  }

  /**
   * Deletes a model with its checkpoints, artifacts, trajectories and run, for good. Project members only.
   *
   * @remarks Its training jobs are cancelled, and go too.
   */
  @Delete(':model_id')
  @ApiErrors({
    400: 'A registry links one of its artifact versions.',
    403: FORBIDDEN,
    404: NOT_FOUND,
    422: 'The id is not a uuid.',
  })
  async delete(@Caller() caller: Principal, @Param() { model_id }: ModelPath): Promise<DeletedModelDto> {
    return DeletedModelDto.from(await this.deletion.delete(caller, model_id));
  }
}
