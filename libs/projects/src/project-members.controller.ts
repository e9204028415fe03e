import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { ProjectMemberDto, ProjectMemberPath, PutProjectMemberDto } from './dto/project-member.dto.js';
import { ProjectPath } from './dto/project.dto.js';
import { ProjectMembersService } from './project-members.service.js';

const FORBIDDEN = 'You are not an administrator of the project.';

@Controller('v1/projects/:entity/:project/members')
@Authenticated('bearer')
@ApiTags('projects')
export class ProjectMembersController {
  constructor(private readonly members: ProjectMembersService) {}

  /**
   * Lists who may use a project.
   *
   * @remarks Administrators of the team are administrators of the project, and members of the team are its members,
   * unless the
   * project grants them another role. Users from outside the team are here if the project grants them one.
   */
  @Get()
  @ApiPage(ProjectMemberDto)
  @ApiErrors({ 404: 'There is no such project, or you have no role in it.', 422: 'The query is not valid.' })
  async list(
    @Caller() caller: Principal,
    @Param() name: ProjectPath,
    @Query() query: PageQuery,
  ): Promise<Page<ProjectMemberDto>> {
    return pageOf((await this.members.list(caller, name, query)).map(ProjectMemberDto.from), query.limit);
  }

  /**
   * Grants a user a role in a project. Project administrators only.
   *
   * @remarks It wins over what the team gives: as `viewer`, a member of the team may only read. It lets users from
   * outside the
   * team into this one project.
   */
  @Put(':username')
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such project or user, or you have no role in the project.',
    409: 'The user is an administrator of the team, and so of all its projects.',
    422: 'A field is not valid.',
  })
  async put(
    @Caller() caller: Principal,
    @Param() { username, ...name }: ProjectMemberPath,
    @Body() { role }: PutProjectMemberDto,
  ): Promise<ProjectMemberDto> {
    return ProjectMemberDto.from(await this.members.put(caller, name, username, role));
  }

  /** Takes a granted role back. Members of the team keep what the team gives. Project administrators only. */
  @Delete(':username')
  @HttpCode(204)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such project, you have no role in it, or it grants the user none.',
    422: 'A name is not valid.',
  })
  async remove(@Caller() caller: Principal, @Param() { username, ...name }: ProjectMemberPath): Promise<void> {
    await this.members.remove(caller, name, username);
  }
}
