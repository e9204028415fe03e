import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { CreateRunDto, ListRunsQuery, RunDto, RunPath, RunsPath, UpdateRunDto } from './dto/run.dto.js';
import { RunsService } from './runs.service.js';

const FORBIDDEN = 'You may only read in this project.';
const NOT_FOUND = 'There is no such run or project, or you have no role in the project.';
const INVALID = 'A field is not valid.';

@Controller('v1/projects/:entity/:project/runs')
@Authenticated('bearer')
@ApiTags('runs')
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  /** Starts a run. Its state is `RUNNING`, which run-state automations see. Project members only. */
  @Post()
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such project, or you have no role in it.',
    409: 'The project has a run of that name.',
    422: INVALID,
  })
  async create(@Caller() caller: Principal, @Param() path: RunsPath, @Body() dto: CreateRunDto): Promise<RunDto> {
    const { name, display_name: displayName, config } = dto;
    return RunDto.from(await this.runs.create(caller, path, { name, displayName, config }));
  }

  /** Lists the runs of a project. */
  @Get()
  @ApiPage(RunDto)
  @ApiErrors({
    404: 'There is no such project, or you have no role in it.',
    422: 'The query is not valid, or no run has the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() path: RunsPath,
    @Query() query: ListRunsQuery,
  ): Promise<Page<RunDto>> {
    return pageOf((await this.runs.list(caller, path, query, query)).map(RunDto.from), query.limit);
  }

  /** Shows a run. */
  @Get(':run')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: RunPath): Promise<RunDto> {
    return RunDto.from(await this.runs.get(caller, path));
  }

  /** Changes what is named, and leaves the rest. A new state is seen by run-state automations. Project members only. */
  @Patch(':run')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async update(@Caller() caller: Principal, @Param() path: RunPath, @Body() dto: UpdateRunDto): Promise<RunDto> {
    const { display_name: displayName, config, state } = dto;
    return RunDto.from(await this.runs.update(caller, path, { displayName, config, state }));
  }

  /** Deletes a run with its history, for good. Project members only. */
  @Delete(':run')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async delete(@Caller() caller: Principal, @Param() path: RunPath): Promise<void> {
    await this.runs.delete(caller, path);
  }
}
