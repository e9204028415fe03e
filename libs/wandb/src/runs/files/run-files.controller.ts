import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ArtifactReader, sendFile } from '@heddle/artifacts';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import type { Request, Response } from 'express';
import { RunFilesService } from './run-files.service.js';

interface RunFilePath {
  entity: string;
  project: string;
  run: string;
  path: string | string[];
}

@Controller('files/:entity/:project/:run')
@Authenticated('basic')
@ApiExcludeController()
export class RunFilesController {
  constructor(
    private readonly files: RunFilesService,
    private readonly reader: ArtifactReader,
  ) {}

  /** Downloads a file of a run. */
  @Get('*path')
  async get(
    @Caller() caller: Principal,
    @Param() { entity, project, run, path }: RunFilePath,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    const place = { entityName: entity, projectName: project, runName: run };
    const file = await this.files.get(caller, place, [path].flat().join('/'));
    return sendFile(request, response, this.reader, { ...file, size: Number(file.size) });
  }
}
