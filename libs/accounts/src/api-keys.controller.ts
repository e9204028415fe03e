import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto.js';
import { ApiKeyPath } from './dto/path.dto.js';

@Controller('v1/api-keys')
@Authenticated('bearer')
@ApiTags('accounts')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** Creates an API key of yours. The answer shows it once; only its digest is stored. */
  @Post()
  @Header('cache-control', 'no-store')
  @ApiErrors({ 422: 'The name is not valid.' })
  async create(@Caller() caller: Principal, @Body() { name }: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const { key, stored } = await this.keys.create(caller, caller.username, name);
    return CreatedApiKeyDto.fromKey(key, stored);
  }

  /** Lists your API keys that work. */
  @Get()
  @ApiPage(ApiKeyDto)
  @ApiErrors({ 422: 'The query is not valid, or you have no key with the id `after`.' })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<Page<ApiKeyDto>> {
    return pageOf((await this.keys.list(caller, caller.username, query)).map(ApiKeyDto.from), query.limit);
  }

  /** Revokes an API key of yours. It stops within seconds, everywhere. */
  @Delete(':id')
  @HttpCode(204)
  @ApiErrors({ 404: 'You have no such key.', 422: 'The id is not a uuid.' })
  async revoke(@Caller() caller: Principal, @Param() { id }: ApiKeyPath): Promise<void> {
    await this.keys.revoke(caller, caller.username, id);
  }
}
