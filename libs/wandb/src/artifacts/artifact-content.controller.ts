import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ArtifactReader, sendFile } from '@heddle/artifacts';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import type { Request, Response } from 'express';
import { ArtifactContentService } from './artifact-content.service.js';

@Controller('artifactsV2/:region/:entity')
@Authenticated('basic')
@ApiExcludeController()
export class ArtifactContentController {
  constructor(
    private readonly contents: ArtifactContentService,
    private readonly reader: ArtifactReader,
  ) {}

  /** Downloads the content of a version's file by its MD5 in hex. Version 0.28 of the SDK names neither collection nor file. */
  @Get([':project/:collection/:artifact/:md5/*path', ':artifact/:md5'])
  async get(
    @Caller() caller: Principal,
    @Param() { artifact, md5 }: { artifact: string; md5: string },
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    return sendFile(request, response, this.reader, await this.contents.find(caller, artifact, md5));
  }
}
