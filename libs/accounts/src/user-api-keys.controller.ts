import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto.js';
import { UserApiKeyPath, UserPath } from './dto/path.dto.js';

@Controller('v1/users/:username/api-keys')
@Authenticated('bearer')
@ApiErrors({
  403: "It is another user's account, and you are not an administrator of this instance.",
  404: 'There is no such user, or no such key of theirs.',
  422: 'A field is not valid.',
})
@ApiTags('accounts')
export class UserApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Creates an API key for a user. The answer shows it once. Instance administrators only. */
  @Post()
  @Header('cache-control', 'no-store')
  async create(
    @Caller() caller: Principal,
    @Param() { username }: UserPath,
    @Body() { name }: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { key, stored } = await this.keys.create(caller, username, name);
    return CreatedApiKeyDto.fromKey(key, stored);
  }

  /** Lists the API keys of a user that work. Instance administrators only. */
  @Get()
  @ApiPage(ApiKeyDto)
  async list(
    @Caller() caller: Principal,
    @Param() { username }: UserPath,
    @Query() query: PageQuery,
  ): Promise<Page<ApiKeyDto>> {
    return pageOf((await this.keys.list(caller, username, query)).map(ApiKeyDto.from), query.limit);
  }

  /** Revokes an API key of a user. Instance administrators only. */
  @Delete(':id')
  @HttpCode(204)
  async revoke(@Caller() caller: Principal, @Param() { username, id }: UserApiKeyPath): Promise<void> {
    await this.keys.revoke(caller, username, id);
  }
}
