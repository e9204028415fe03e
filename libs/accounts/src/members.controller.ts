import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { MemberDto, PutMemberDto } from './dto/member.dto.js';
import { MemberPath, TeamPath } from './dto/path.dto.js';
import { MembersService } from './members.service.js';

const NOT_FOUND = 'There is no such team, you are not a member, or there is no such user.';
const LAST_ADMIN = 'The last administrator of a team must stay one.';
const FORBIDDEN = 'You are not an administrator of the team.';

@Controller('v1/teams/:team/members')
@Authenticated('bearer')
@ApiTags('accounts')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** Lists the members of one of your teams. */
  @Get()
  @ApiPage(MemberDto)
  @ApiErrors({
    404: 'There is no such team, or you are not a member.',
    422: 'The query is not valid, or the team has no member with the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() { team }: TeamPath,
    @Query() query: PageQuery,
  ): Promise<Page<MemberDto>> {
    return pageOf((await this.members.list(caller, team, query)).map(MemberDto.from), query.limit);
  }

  /** Takes a user into the team or changes their role. Team administrators only. */
  @Put(':username')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: LAST_ADMIN, 422: 'A field is not valid.' })
  async put(
    @Caller() caller: Principal,
    @Param() { team, username }: MemberPath,
    @Body() { role }: PutMemberDto,
  ): Promise<MemberDto> {
    return MemberDto.from(await this.members.put(caller, team, username, role));
  }

  /** Removes a member. Team administrators remove anybody; everybody may leave. */
  @Delete(':username')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: LAST_ADMIN, 422: 'A name is not valid.' })
  async remove(@Caller() caller: Principal, @Param() { team, username }: MemberPath): Promise<void> {
    await this.members.remove(caller, team, username);
  }
}
