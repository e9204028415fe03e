import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CollectionDto, CreateCollectionDto, ListCollectionsQuery, UpdateCollectionDto } from '@heddle/artifacts';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { RegistryCollectionPath, RegistryCollectionTagPath } from './dto/registry-collection.dto.js';
import { RegistryPath } from './dto/registry.dto.js';
import { RegistryCollectionsService } from './registry-collections.service.js';

const FORBIDDEN = 'You may only read in this registry.';
const NO_REGISTRY = 'There is no such registry, or you have no role in it.';
const NOT_FOUND = 'There is no such collection or registry, or you have no role in the registry.';
const INVALID = 'A field is not valid.';

@Controller('v1/registries/:entity/:registry/collections')
@Authenticated('bearer')
@ApiTags('registries')
export class RegistryCollectionsController {
  constructor(private readonly collections: RegistryCollectionsService) {}

  /** Creates a collection, into which versions of its type can be linked. Registry members only. */
  @Post()
  @ApiErrors({ 403: FORBIDDEN, 404: NO_REGISTRY, 409: 'The registry has a collection of that name.', 422: INVALID })
  async create(
    @Caller() caller: Principal,
    @Param() path: RegistryPath,
    @Body() dto: CreateCollectionDto,
  ): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.create(caller, path, dto));
  }

  /** Lists the collections of a registry. */
  @Get()
  @ApiPage(CollectionDto)
  @ApiErrors({ 404: NO_REGISTRY, 422: 'The query is not valid, or no collection has the id `after`.' })
  async list(
    @Caller() caller: Principal,
    @Param() path: RegistryPath,
    @Query() query: ListCollectionsQuery,
  ): Promise<Page<CollectionDto>> {
    const collections = await this.collections.list(caller, path, query, query);
    return pageOf(collections.map(CollectionDto.from), query.limit);
  }

  /** Shows a collection. */
  @Get(':collection')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: RegistryCollectionPath): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.get(caller, path));
  }

  /** Describes a collection. Null takes the description away. Registry members only. */
  @Patch(':collection')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async update(
    @Caller() caller: Principal,
    @Param() path: RegistryCollectionPath,
    @Body() { description }: UpdateCollectionDto,
  ): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.describe(caller, path, description));
  }

  /** Unlinks all versions of a collection, which automations see, and deletes it. Registry administrators only. */
  @Delete(':collection')
  @HttpCode(204)
  @ApiErrors({ 403: 'You are not an administrator of the registry.', 404: NOT_FOUND, 422: INVALID })
  async delete(@Caller() caller: Principal, @Param() path: RegistryCollectionPath): Promise<void> {
    await this.collections.delete(caller, path);
  }

  /** Adds a tag to a collection, which automations see. A tag that is there already changes nothing. */
  @Put(':collection/tags/:tag')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async addTag(
    @Caller() caller: Principal,
    @Param() { tag, ...path }: RegistryCollectionTagPath,
  ): Promise<CollectionDto> {
    return CollectionDto.from(await this.collections.addTag(caller, path, tag));
  }

  /** Removes a tag from a collection, which automations see. Registry members only. */
  @Delete(':collection/tags/:tag')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: 'There is no such tag, collection or registry.', 422: INVALID })
  async removeTag(@Caller() caller: Principal, @Param() { tag, ...path }: RegistryCollectionTagPath): Promise<void> {
    await this.collections.removeTag(caller, path, tag);
  }
}
