import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { DeletionQuery } from '../versions/deletion.dto.js';
import { CollectionsService } from './collections.service.js';
import {
  CollectionDto,
  CollectionPath,
  CollectionsPath,
  CollectionTagPath,
  CreateCollectionDto,
  ListCollectionsQuery,
  UpdateProjectCollectionDto,
} from './collection.dto.js';

const FORBIDDEN = 'You may only read in this project.';
const NO_PROJECT = 'There is no such project, or you have no role in it.';
const NOT_FOUND = 'There is no such collection or project, or you have no role in the project.';
const INVALID = 'A field is not valid.';

@Controller('v1/projects/:entity/:project/artifacts')
@Authenticated('bearer')
@ApiTags('artifacts')
export class CollectionsController {
  constructor(private readonly collections: CollectionsService) {}

  /** Creates a collection of artifacts. Project members only. */
  @Post()
  @ApiErrors({ 403: FORBIDDEN, 404: NO_PROJECT, 409: 'The project has a collection of that name.', 422: INVALID })
  async create(
    @Caller() caller: Principal,
    @Param() path: CollectionsPath,
    @Body() dto: CreateCollectionDto,
  ): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.create(caller, path, dto));
  }

  /** Lists the collections of a project. */
  @Get()
  @ApiPage(CollectionDto)
  @ApiErrors({ 404: NO_PROJECT, 422: 'The query is not valid, or no collection has the id `after`.' })
  async list(
    @Caller() caller: Principal,
    @Param() path: CollectionsPath,
    @Query() query: ListCollectionsQuery,
  ): Promise<Page<CollectionDto>> {
    return pageOf((await this.collections.list(caller, path, query, query)).map(CollectionDto.from), query.limit);
  }

  /** Shows a collection. */
  @Get(':collection')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: CollectionPath): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.get(caller, path));
  }

  /** Describes a collection, or says how long its versions stay. Null takes away what was said. Project members only. */
  @Patch(':collection')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() path: CollectionPath,
    @Body() { description, ttl_seconds: ttlSeconds }: UpdateProjectCollectionDto,
  ): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.update(caller, path, { description, ttlSeconds }));
  }

  /**
   * Deletes a collection with all its versions and their files, for good. Project members only.
   *
   * @remarks That of a model goes with all its checkpoints, unless one is in use and `force` is not set.
   */
  @Delete(':collection')
  @HttpCode(204)
  @ApiErrors({
    400: 'One of its versions is a checkpoint that is in use.',
    403: FORBIDDEN,
    404: NOT_FOUND,
    409: 'A registry links one of its versions.',
    422: INVALID,
  })
  async delete(
    @Caller() caller: Principal,
    @Param() path: CollectionPath,
    @Query() { force }: DeletionQuery,
  ): Promise<void> {
    await this.collections.delete(caller, path, force === 'true');
  }

  /** Adds a tag to a collection, which automations see. A tag that is there already changes nothing. */
  @Put(':collection/tags/:tag')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async addTag(@Caller() caller: Principal, @Param() { tag, ...path }: CollectionTagPath): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.addTag(caller, path, tag));
  }

  /** Removes a tag from a collection, which automations see. Project members only. */
  @Delete(':collection/tags/:tag')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: 'There is no such tag, collection or project.', 422: INVALID })
  async removeTag(@Caller() caller: Principal, @Param() { tag, ...path }: CollectionTagPath): Promise<void> {
    await this.collections.removeTag(caller, path, tag);
  }
}
