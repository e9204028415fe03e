import { Controller, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { VersionAliasPath, VersionDto, VersionTagPath } from './version.dto.js';
import { VersionsService } from './versions.service.js';

const FORBIDDEN = 'You may only read in this project.';
const NOT_FOUND = 'There is no such version, collection or project, or you have no role in the project.';

@Controller('v1/projects/:entity/:project/artifacts/:collection/versions/:version')
@Authenticated('bearer')
@ApiTags('artifacts')
export class VersionLabelsController {
  constructor(private readonly versions: VersionsService) {}

  /**
   * Puts an alias on a version, which automations see. Project members only.
   *
   * @remarks An alias sits on one version of a collection at a time: it leaves the one that has it. One that sits here already
   * changes nothing.
   */
  @Put('aliases/:alias')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: 'The alias is not valid, or reserved.' })
  async putAlias(@Caller() caller: Principal, @Param() { alias, ...path }: VersionAliasPath): Promise<VersionDto> {
    return VersionDto.from(await this.versions.putAlias(caller, path, alias));
  }

  /** Removes an alias from a version. Project members only. */
  @Delete('aliases/:alias')
  @HttpCode(204)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such alias, version, collection or project.',
    422: 'A name is not valid.',
  })
  async removeAlias(@Caller() caller: Principal, @Param() { alias, ...path }: VersionAliasPath): Promise<void> {
    await this.versions.removeAlias(caller, path, alias);
  }

  /** Adds a tag to a version, which automations see. A tag that is there already changes nothing. Project members only. */
  @Put('tags/:tag')
  @ApiErrors({ 403: FORBIDDEN, 404: NOT_FOUND, 422: 'A name is not valid.' })
  async addTag(@Caller() caller: Principal, @Param() { tag, ...path }: VersionTagPath): Promise<VersionDto> {
    return VersionDto.from(await this.versions.addTag(caller, path, tag));
  }

  /** Removes a tag from a version, which automations see. Project members only. */
  @Delete('tags/:tag')
  @HttpCode(204)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such tag, version, collection or project.',
    422: 'A name is not valid.',
  })
  async removeTag(@Caller() caller: Principal, @Param() { tag, ...path }: VersionTagPath): Promise<void> {
    await this.versions.removeTag(caller, path, tag);
  }
}
