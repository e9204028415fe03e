import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, BodyLimit, type Page, pageOf } from '@heddle/http';
import { CollectionPath } from '../collections/collection.dto.js';
import { CreateVersionDto, ListVersionsQuery, UpdateVersionDto, VersionDto, VersionPath } from './version.dto.js';
import { DeletionQuery } from './deletion.dto.js';
import { inlineContents } from './inline-files.js';
import { VersionsService } from './versions.service.js';

const FORBIDDEN = 'You may only read in this project.';
const NOT_FOUND = 'There is no such version, collection or project, or you have no role in the project.';
const IN_USE = 'It is a checkpoint that is in use, or the only one of its model.';
const INVALID = 'A field is not valid.';
const BODY_LIMIT_MIB = 16;

@Controller('v1/projects/:entity/:project/artifacts/:collection/versions')
@Authenticated('bearer')
@ApiTags('artifacts')
export class VersionsController {
  constructor(private readonly versions: VersionsService) {}

  /**
   * Creates a version at once, with small files in the request: all of it, or nothing. Project members only.
   *
   * @remarks It becomes the collection's next `vN`, and `latest` moves to it. For files that don't fit in here, create a draft.
   */
  @Post()
  @BodyLimit(BODY_LIMIT_MIB)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such collection or project, or you have no role in the project.',
    413: `The body has more than ${BODY_LIMIT_MIB} MiB.`,
    422: 'A field is not valid, or an alias is reserved.',
  })
  async create(
    @Caller() caller: Principal,
    @Param() path: CollectionPath,
    @Body() { files, ttl_seconds: ttlSeconds, ...fields }: CreateVersionDto,
  ): Promise<VersionDto> {
    return VersionDto.from(
      await this.versions.create(caller, path, { ...fields, ttlSeconds }, inlineContents(files ?? [])),
    );
  }

  /** Lists the versions of a collection, `v0` first. Drafts are not among them. */
  @Get()
  @ApiPage(VersionDto)
  @ApiErrors({
    404: 'There is no such collection or project, or you have no role in the project.',
    422: 'The query is not valid, or no version has the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() path: CollectionPath,
    @Query() query: ListVersionsQuery,
  ): Promise<Page<VersionDto>> {
    return pageOf((await this.versions.list(caller, path, query.tag, query)).map(VersionDto.from), query.limit);
  }

  /** Shows the version that `vN`, an alias, a digest or an id names. */
  @Get(':version')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: VersionPath): Promise<VersionDto> {
    return VersionDto.from(await this.versions.get(caller, path));
  }

  /** Changes the description, the metadata, as a whole, or how long it stays. Files never change. Project members only. */
  @Patch(':version')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() path: VersionPath,
    @Body() { ttl_seconds: ttlSeconds, ...fields }: UpdateVersionDto,
  ): Promise<VersionDto> {
    return VersionDto.from(await this.versions.update(caller, path, { ...fields, ttlSeconds }));
  }

  /**
   * Deletes a version with its files, for good. Project members only.
   *
   * @remarks Its number is not used again. `latest` goes back to the newest version that is left. Of a model's checkpoints one
   * that is in use stays, and so does the only one, unless `force` is set.
   */
  @Delete(':version')
  @HttpCode(204)
  @ApiErrors({
    400: IN_USE,
    403: FORBIDDEN,
    404: NOT_FOUND,
    409: 'A registry links it: unlink it there first.',
    422: INVALID,
  })
  async delete(
    @Caller() caller: Principal,
    @Param() path: VersionPath,
    @Query() { force }: DeletionQuery,
  ): Promise<void> {
    await this.versions.delete(caller, path, force === 'true');
  }
}
