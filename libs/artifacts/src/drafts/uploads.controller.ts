import { Controller, Delete, HttpCode, Param, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiHeader, ApiParam, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, StreamedBody } from '@heddle/http';
import type { Request } from 'express';
import { DraftsService } from './drafts.service.js';
import { DraftPath, UploadQuery } from './draft.dto.js';
import { FileDto } from '../files/file.dto.js';
import { FilePath } from '../files/file-path.decorator.js';
import { uploadOf } from './upload.js';

const FORBIDDEN = 'You may only read in this project.';
const COMMITTED = 'The draft is a version already: its files never change.';
const PATH = { name: 'path', description: 'Relative, with slashes', example: 'data/train.jsonl' };

@Controller('v1/projects/:entity/:project/artifacts/:collection/drafts/:draft/files')
@Authenticated('bearer')
@ApiTags('artifacts')
export class UploadsController {
  constructor(private readonly drafts: DraftsService) {}

  /**
   * Uploads a file to a draft, at most 8 GiB; the body is the file. Project members only.
   *
   * @remarks The file is there once the answer is, and instead of the one that had its path. An upload that breaks leaves nothing.
   */
  @Put('*path')
  @StreamedBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiParam(PATH)
  @ApiHeader({ name: 'x-content-sha256', required: false, description: 'As the query parameter `sha256`' })
  @ApiErrors({
    400: 'The upload broke off.',
    403: FORBIDDEN,
    404: 'There is no such draft, collection or project, or you have no role in the project.',
    409: COMMITTED,
    413: 'The file has more than 8 GiB.',
    422: 'The path is not valid, or the content has another SHA-256.',
    503: 'There is no room for the file: of one whose length was announced, nothing is read.',
  })
  async put(
    @Caller() caller: Principal,
    @Param() name: DraftPath,
    @FilePath() path: string,
    @Query() { sha256 }: UploadQuery,
    @Req() request: Request,
  ): Promise<FileDto> {
    return FileDto.from(await this.drafts.upload(caller, name, uploadOf(request, path, sha256)));
  }

  /** Removes a file from a draft. Project members only. */
  @Delete('*path')
  @HttpCode(204)
  @ApiParam(PATH)
  @ApiErrors({
    403: FORBIDDEN,
    404: 'There is no such file, draft, collection or project.',
    409: COMMITTED,
    422: 'The path is not valid.',
  })
  async remove(@Caller() caller: Principal, @Param() name: DraftPath, @FilePath() path: string): Promise<void> {
    await this.drafts.removeFile(caller, name, path);
  }
}
