import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { DraftsService } from './drafts.service.js';
import { CollectionPath } from '../collections/collection.dto.js';
import { DraftDto, DraftPath } from './draft.dto.js';
import { FileDto, ListFilesQuery } from '../files/file.dto.js';
import { UpdateVersionDto } from '../versions/version.dto.js';

const FORBIDDEN = 'You may only read in this project.';
const NOT_FOUND = 'There is no such draft, collection or project, or you have no role in the project.';
const COMMITTED = 'The draft is a version already.';
const INVALID = 'A field is not valid.';

@Controller('v1/projects/:entity/:project/artifacts/:collection/drafts')
@Authenticated('bearer')
@ApiTags('artifacts')
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  /**
   * Begins a version: upload its files to the draft, then commit it. Project members only.
   *
   * @remarks A draft is in no list of versions, and is deleted a day after it was begun.
   */
  @Post()
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such collection or project, or you have no role in the project.',
    422: INVALID,
  })
  async create(
    @Caller() caller: Principal,
    @Param() path: CollectionPath,
    @Body() { ttl_seconds: ttlSeconds, ...fields }: UpdateVersionDto,
  ): Promise<DraftDto> {
    return DraftDto.from(await this.drafts.create(caller, path, { ...fields, ttlSeconds }));
  }

  /** Shows a draft. Project members only. */
  @Get(':draft')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: COMMITTED, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: DraftPath): Promise<DraftDto> {
    return DraftDto.from(await this.drafts.get(caller, path));
  }

  /** Lists the files of a draft, by path. Project members only. */
  @Get(':draft/files')
  @ApiPage(FileDto)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: COMMITTED, 422: 'The query is not valid.' })
  async listFiles(
    @Caller() caller: Principal,
    @Param() path: DraftPath,
    @Query() { after, limit }: ListFilesQuery,
  ): Promise<Page<FileDto>> {
    return pageOf((await this.drafts.listFiles(caller, path, after, limit)).map(FileDto.from), limit);
  }

  /** Deletes a draft with its files. Project members only. */
  @Delete(':draft')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 409: COMMITTED, 422: INVALID })
  async delete(@Caller() caller: Principal, @Param() path: DraftPath): Promise<void> {
    await this.drafts.delete(caller, path);
  }
}
