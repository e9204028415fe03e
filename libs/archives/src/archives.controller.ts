import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, StreamedBody } from '@heddle/http';
import { ProjectPath } from '@heddle/projects';
import type { Request, Response } from 'express';
import { ExportQuery, ImportedDto } from './dto/archive.dto.js';
import { ExportService } from './exporting/export.service.js';
import { ImportService } from './importing/import.service.js';

const TAR = 'application/x-tar';
const BINARY = { schema: { type: 'string', format: 'binary' } } as const;
const BUSY = 'As many archives as this server works on at once are under way.';

@Controller('v1/projects/:entity/:project/archive')
@Authenticated('bearer')
@ApiTags('archives')
export class ArchivesController {
  constructor(
    private readonly exports: ExportService,
    private readonly imports: ImportService,
  ) {}

  /**
   * Sends a project as one archive: its runs with all that they logged, artifacts, models and traces, as they are at one moment.
   *
   * @remarks A tar of JSON lines and files: `manifest.json` first, `end.json` last; without that it was cut off. Secrets,
   * webhooks, automations, members and training jobs stay here. `npm run export` writes it into a file.
   */
  @Get()
  @ApiOkResponse({ description: 'The archive.', content: { [TAR]: BINARY } })
  @ApiErrors({
    404: 'There is no such project or run, or you have no role in the project.',
    409: 'Files of the project are being deleted at this moment.',
    422: 'A field is not valid.',
    429: BUSY,
  })
  async export(
    @Caller() caller: Principal,
    @Param() name: ProjectPath,
    @Query() { run }: ExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    await this.exports.send(caller, name, run ?? null, response);
  }

  /**
   * Brings an archive into a project, all of it or nothing; the body is the archive. Project members only.
   *
   * @remarks What came before from the same place is there already, and stays as it is. References to the project that it
   * comes from become references to this one. No automation fires. A run that was under way is `CRASHED` here.
   */
  @Post()
  @HttpCode(200)
  @StreamedBody()
  @ApiConsumes(TAR)
  @ApiBody(BINARY)
  @ApiErrors({
    400: 'It is no archive, was cut off or forged, or a newer Heddle made it.',
    403: 'You may only read in this project.',
    404: 'There is no such project, or you have no role in it.',
    409: 'A name in the archive is taken by something else: the answer says which.',
    413: 'A part of the archive is too large: a file has more than 8 GiB.',
    422: 'A name is not valid.',
    429: BUSY,
    503: 'There is no room for it.',
  })
  async import(@Caller() caller: Principal, @Param() name: ProjectPath, @Req() request: Request): Promise<ImportedDto> {
    const landed = await this.imports.import(caller, name, request);
    return ImportedDto.from(`${name.entity}/${name.project}`, landed);
  }
}
