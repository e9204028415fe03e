import { Controller, Get, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import type { Request, Response } from 'express';
import { ArtifactReader } from '../versions/artifact.reader.js';
import { FileDto, ListFilesQuery } from './file.dto.js';
import { VersionPath } from '../versions/version.dto.js';
import { sendFile } from './file-download.js';
import { FilePath } from './file-path.decorator.js';
import { VersionsService } from '../versions/versions.service.js';

@Controller('v1/projects/:entity/:project/artifacts/:collection/versions/:version/files')
@Authenticated('bearer')
@ApiTags('artifacts')
export class FilesController {
  constructor(
    private readonly versions: VersionsService,
    private readonly reader: ArtifactReader,
  ) {}

  /** Lists the files of a version, by path. */
  @Get()
  @ApiPage(FileDto)
  @ApiErrors({
    404: 'There is no such version, collection or project, or you have no role in the project.',
    422: 'The query is not valid.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() name: VersionPath,
    @Query() { after, limit }: ListFilesQuery,
  ): Promise<Page<FileDto>> {
    const { id } = await this.versions.get(caller, name);
    return pageOf((await this.reader.listFiles(id, after, limit)).map(FileDto.from), limit);
  }

  /**
   * Downloads a file of a version.
   *
   * @remarks `ETag` and `x-content-sha256` are its SHA-256. A `Range` of bytes is honoured, and so is `If-None-Match`.
   */
  @Get('*path')
  @ApiParam({ name: 'path', description: 'Relative, with slashes', example: 'data/train.jsonl' })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ description: 'The file.', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 206, description: 'The range of the file that was asked for.' })
  @ApiResponse({ status: 304, description: 'The client has this file already.' })
  @ApiResponse({ status: 416, description: 'The file is shorter than the range.' })
  @ApiErrors({
    404: 'There is no such file, version, collection or project, or you have no role in the project.',
    422: 'The path is not valid.',
  })
  async get(
    @Caller() caller: Principal,
    @Param() name: VersionPath,
    @FilePath() path: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    const { id } = await this.versions.get(caller, name);
    return sendFile(request, response, this.reader, await this.reader.findFile(id, path));
  }
}
