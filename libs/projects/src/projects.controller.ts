import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import {
  CreateProjectDto,
  DeleteProjectQuery,
  ListProjectsQuery,
  ProjectDto,
  ProjectPath,
  UpdateProjectDto,
} from './dto/project.dto.js';
import { ProjectDeletionService } from './project-deletion.service.js';
import { ProjectsService } from './projects.service.js';

const NOT_FOUND = 'There is no such project, or you have no role in it.';
const INVALID = 'A field is not valid.';

@Controller('v1/projects')
@Authenticated('bearer')
@ApiTags('projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly deletion: ProjectDeletionService,
  ) {}

  /** Lists the projects of one of your teams, or of all of them. */
  @Get()
  @ApiPage(ProjectDto)
  @ApiErrors({
    404: 'There is no such team, or you are not a member.',
    422: 'The query is not valid, or there is no project with the id `after`.',
  })
  async list(@Caller() caller: Principal, @Query() query: ListProjectsQuery): Promise<Page<ProjectDto>> {
    return pageOf((await this.projects.list(caller, query)).map(ProjectDto.from), query.limit);
  }

  /** Creates a project. Tracing to a project that doesn't exist creates it too. */
  @Post()
  @ApiErrors({
    404: 'There is no such team, or you are not a member.',
    409: 'The team has a project of that name.',
    422: 'A field is not valid, or you have no default entity.',
  })
  async create(@Caller() caller: Principal, @Body() dto: CreateProjectDto): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.create(caller, dto));
  }

  /** Shows a project. */
  @Get(':entity/:project')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() name: ProjectPath): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.get(caller, name));
  }

  /** Changes how long a project keeps its calls, and whether chat is traced. Team administrators only. */
  @Patch(':entity/:project')
  @ApiErrors({ 403: 'You are not an administrator of the team.', 404: NOT_FOUND, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() name: ProjectPath,
    @Body() dto: UpdateProjectDto,
  ): Promise<ProjectDto> {
    return ProjectDto.from(await this.projects.update(caller, name, dto));
  }

  /**
   * Deletes a project with its runs, artifacts, models, traces and automations, for good, once its name confirms it. Team
   * administrators only.
   *
   * @remarks Training jobs are cancelled. Files are gone with the answer, traces within minutes. A project of that name that
   * is made later is another one.
   */
  @Delete(':entity/:project')
  @HttpCode(204)
  @ApiErrors({
    403: 'You are not an administrator of the team.',
    404: NOT_FOUND,
    409: "`confirm` is missing, or is not the project's id; or a registry links one of its versions: the answer names it.",
    422: INVALID,
  })
  async delete(
    @Caller() caller: Principal,
    @Param() name: ProjectPath,
    @Query() { confirm }: DeleteProjectQuery,
  ): Promise<void> {
    await this.deletion.deleteByName(caller, name, confirm);
  }
}
