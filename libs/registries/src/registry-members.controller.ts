import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { PutRegistryMemberDto, RegistryMemberDto, RegistryMemberPath, RegistryPath } from './dto/registry.dto.js';
import { RegistryMembersService } from './registry-members.service.js';

const FORBIDDEN = 'You are not an administrator of the registry.';

@Controller('v1/registries/:entity/:registry/members')
@Authenticated('bearer')
@ApiTags('registries')
export class RegistryMembersController {
  constructor(private readonly members: RegistryMembersService) {}

  /** Lists who may use a registry: the team, and users from outside to whom it grants a role. */
  @Get()
  @ApiPage(RegistryMemberDto)
  @ApiErrors({ 404: 'There is no such registry, or you have no role in it.', 422: 'The query is not valid.' })
  async list(
    @Caller() caller: Principal,
    @Param() path: RegistryPath,
    @Query() query: PageQuery,
  ): Promise<Page<RegistryMemberDto>> {
    return pageOf((await this.members.list(caller, path, query)).map(RegistryMemberDto.from), query.limit);
  }

  /**
   * Grants a user a role in a registry. Registry administrators only.
   *
   * @remarks It wins over what the team gives, but for the team's administrators, and lets users from outside the team
   * in.
   */
  @Put(':username')
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such registry or user, or you have no role in the registry.',
    409: 'The user is an administrator of the team, and so of all its registries.',
    422: 'A field is not valid.',
  })
  async put(
    @Caller() caller: Principal,
    @Param() { username, ...path }: RegistryMemberPath,
    @Body() { role }: PutRegistryMemberDto,
  ): Promise<RegistryMemberDto> {
    return RegistryMemberDto.from(await this.members.put(caller, path, username, role));
  }

  /** Takes a granted role back. Members of the team stay viewers. Registry administrators only. */
  @Delete(':username')
  @HttpCode(204)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such registry, you have no role in it, or it grants the user none.',
    422: 'A name is not valid.',
  })
  async remove(@Caller() caller: Principal, @Param() { username, ...path }: RegistryMemberPath): Promise<void> {
    await this.members.remove(caller, path, username);
  }
}
