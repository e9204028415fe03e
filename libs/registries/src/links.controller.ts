import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { CreateLinkDto, LinkAliasPath, LinkDto, LinkPath, LinkTagPath, ListLinksQuery } from './dto/link.dto.js';
import { RegistryCollectionPath } from './dto/registry-collection.dto.js';
import { LinksService } from './links.service.js';

const FORBIDDEN = 'You may only read in this registry.';
const NOT_FOUND = 'There is no such version, collection or registry, or you have no role in the registry.';
const NO_LABEL = 'There is no such alias or tag, version, collection or registry.';
const INVALID = 'A field is not valid.';

@Controller('v1/registries/:entity/:registry/collections/:collection/versions')
@Authenticated('bearer')
@ApiTags('releases')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  /**
   * Links a version into a collection. Registry members who may read the version's project only.
   *
   * @remarks Automations of the registry, the project and the team see it. It becomes the collection's next `vN`, and
   * the collection's `latest` moves to it. One that is linked already stays.
   */
  @Post()
  @HttpCode(200)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such collection or artifact, or you may not read it.',
    422: 'This is no ref, or the artifact is of another team or type.',
  })
  async link(
    @Caller() caller: Principal,
    @Param() path: RegistryCollectionPath,
    @Body() { artifact }: CreateLinkDto,
  ): Promise<LinkDto> {
    return LinkDto.from(await this.links.link(caller, path, artifact));
  }

  /** Lists the versions that are linked into a collection, `v0` first. */
  @Get()
  @ApiPage(LinkDto)
  @ApiErrors({
    404: 'There is no such collection or registry, or you have no role in the registry.',
    422: 'The query is not valid, or no version has the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() path: RegistryCollectionPath,
    @Query() query: ListLinksQuery,
  ): Promise<Page<LinkDto>> {
    return pageOf((await this.links.list(caller, path, query.tag, query)).map(LinkDto.from), query.limit);
  }

  /** Shows the linked version that `vN`, an alias of this collection, a digest or an id names. */
  @Get(':version')
  @ApiErrors({ 404: NOT_FOUND, 422: INVALID })
  async get(@Caller() caller: Principal, @Param() path: LinkPath): Promise<LinkDto> {
    return LinkDto.from(await this.links.get(caller, path));
  }

  /** Unlinks a version, which automations of the registry, the project and the team see. Registry members only. */
  @Delete(':version')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async unlink(@Caller() caller: Principal, @Param() path: LinkPath): Promise<void> {
    await this.links.unlink(caller, path);
  }

  /**
   * Puts an alias of this collection on a version, which automations see. Registry members only.
   *
   * @remarks An alias sits on one version of a collection at a time: it leaves the one that has it.
   */
  @Put(':version/aliases/:alias')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: 'The alias is not valid, or reserved.' })
  async putAlias(@Caller() caller: Principal, @Param() { alias, ...path }: LinkAliasPath): Promise<LinkDto> {
    return LinkDto.from(await this.links.putAlias(caller, path, alias));
  }

  /** Removes an alias of this collection from a version. Registry members only. */
  @Delete(':version/aliases/:alias')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NO_LABEL, 422: INVALID })
  async removeAlias(@Caller() caller: Principal, @Param() { alias, ...path }: LinkAliasPath): Promise<void> {
    await this.links.removeAlias(caller, path, alias);
  }

  /** Adds a tag to a version in this collection, which automations see. Registry members only. */
  @Put(':version/tags/:tag')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: INVALID })
  async addTag(@Caller() caller: Principal, @Param() { tag, ...path }: LinkTagPath): Promise<LinkDto> {
    return LinkDto.from(await this.links.addTag(caller, path, tag));
  }

  /** Removes a tag from a version in this collection, which automations see. Registry members only. */
  @Delete(':version/tags/:tag')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NO_LABEL, 422: INVALID })
  async removeTag(@Caller() caller: Principal, @Param() { tag, ...path }: LinkTagPath): Promise<void> {
    await this.links.removeTag(caller, path, tag);
  }
}
