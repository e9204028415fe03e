import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { UserPath } from './dto/path.dto.js';
import { CreateUserDto, UpdateUserDto, UserDto } from './dto/user.dto.js';
import { UsersService } from './users.service.js';

const NOT_FOUND = 'There is no such user.';
const INVALID = 'A field is not valid.';

@Controller('v1/users')
@Authenticated('bearer')
@ApiErrors({ 403: 'You are not an administrator of this instance.' })
@ApiTags('accounts')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Creates a user. They have no key and no team yet. Instance administrators only. */
  @Post()
  @ApiErrors({ 409: 'The name is taken.', 422: INVALID })
  async create(@Caller() caller: Principal, @Body() dto: CreateUserDto): Promise<UserDto> {
    return UserDto.from(await this.users.create(caller, dto));
  }

  /** Lists all users. Instance administrators only. */
  @Get()
  @ApiPage(UserDto)
  @ApiErrors({ 422: 'The query is not valid, or there is no user with the id `after`.' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<UserDto>> {
    return pageOf((await this.users.list(caller, query)).map(UserDto.from), query.limit);
  }

  /** Shows a user. Instance administrators only. */
  @Get(':username')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() { username }: UserPath): Promise<UserDto> {
    return UserDto.from(await this.users.get(caller, username));
  }

  /** Changes a user's email address or makes them an instance administrator. Instance administrators only. */
  @Patch(':username')
  @ApiErrors({ 404: NOT_FOUND, 409: 'The last instance administrator must stay one.', 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() { username }: UserPath,
    @Body() dto: UpdateUserDto,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.update(caller, username, dto));
  }

  /** Deletes a user with their API keys and memberships; their teams keep all data. Instance administrators only. */
  @Delete(':username')
  @HttpCode(204)
  @ApiErrors({ 404: NOT_FOUND, 409: 'The user is the last administrator of this instance or of a team.', 422: INVALID })
  async remove(@Caller() caller: Principal, @Param() { username }: UserPath): Promise<void> {
    await this.users.remove(caller, username);
  }
}
