import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { MeDto, UpdateMeDto } from './dto/me.dto.js';
import { UsersService } from './users.service.js';

@Controller('v1/me')
@Authenticated('bearer')
@ApiTags('accounts')
export class MeController {
  constructor(private readonly users: UsersService) {}

  /** Shows the owner of the API key, with their teams and roles. */
  @Get()
  async get(@Caller() caller: Principal): Promise<MeDto> {
    const { user, memberships } = await this.users.me(caller);
    return MeDto.fromMemberships(user, memberships);
  }

  /** Changes your own email address or default entity. */
  @Patch()
  @ApiErrors({ 404: 'You are not a member of that team.', 422: 'A field is not valid.' })
  async update(@Caller() caller: Principal, @Body() dto: UpdateMeDto): Promise<MeDto> {
    await this.users.updateMe(caller, dto);
    return this.get(caller);
  }
}
