import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { TeamPath } from './dto/path.dto.js';
import { CreateTeamDto, DeleteTeamQuery, TeamDto, UpdateTeamDto } from './dto/team.dto.js';
import { TeamDeletionService } from './team-deletion.service.js';
import { TeamsService } from './teams.service.js';

@Controller('v1/teams')
@Authenticated('bearer')
@ApiTags('accounts')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly deletion: TeamDeletionService,
  ) {}

  /** Creates a team and makes you its administrator. Instance administrators only. */
  @Post()
  @ApiErrors({
    403: 'You are not an administrator of this instance.',
    409: 'The name is taken.',
    422: 'A field is not valid.',
  })
  async create(@Caller() caller: Principal, @Body() { name }: CreateTeamDto): Promise<TeamDto> {
    return TeamDto.from(await this.teams.create(caller, name));
  }

  /** Lists your teams. */
  @Get()
  @ApiPage(TeamDto)
  @ApiErrors({ 422: 'The query is not valid, or you have no team with the id `after`.' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<TeamDto>> {
    return pageOf((await this.teams.list(caller, query)).map(TeamDto.from), query.limit);
  }

  /** Shows a team. */
  @Get(':team')
  @ApiErrors({ 404: 'There is no such team, or you are not a member.', 422: 'The name is not valid.' })
  async get(@Caller() caller: Principal, @Param() { team }: TeamPath): Promise<TeamDto> {
    return TeamDto.from(await this.teams.get(caller, team));
  }

  /** Says how long the team's artifacts stay by default. Administrators of the team or of the instance only. */
  @Patch(':team')
  @ApiErrors({
    403: 'You are not an administrator of the team.',
    404: 'There is no such team, or you are not a member.',
    422: 'A field is not valid.',
  })
  async update(
    @Caller() caller: Principal,
    @Param() { team }: TeamPath,
    @Body() { artifact_ttl_seconds: artifactTtlSeconds }: UpdateTeamDto,
  ): Promise<TeamDto> {
    return TeamDto.from(await this.teams.update(caller, team, { artifactTtlSeconds }));
  }

  /**
   * Deletes a team with all that it owns, for good, once its name confirms it: projects with their runs, artifacts, models
   * and traces, registries, secrets, webhooks and automations. Administrators of the team or of the instance only.
   *
   * @remarks Users stay. Files are gone with the answer, traces within minutes.
   */
  @Delete(':team')
  @HttpCode(204)
  @ApiErrors({
    403: 'You are not an administrator of the team.',
    404: 'There is no such team, or you are not a member.',
    409: "`confirm` is missing, or is not the team's name; or a registry of another team links a version of this one's.",
    422: 'The name is not valid.',
  })
  async delete(
    @Caller() caller: Principal,
    @Param() { team }: TeamPath,
    @Query() { confirm }: DeleteTeamQuery,
  ): Promise<void> {
    await this.deletion.delete(caller, team, confirm);
  }
}
