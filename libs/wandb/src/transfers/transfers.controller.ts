import { Body, Controller, Get, HttpCode, Param, Put, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ArtifactReader, sendFile } from '@heddle/artifacts';
import { Public } from '@heddle/auth';
import { RawBody, StreamedBody } from '@heddle/http';
import type { Request, Response } from 'express';
import { MAX_MANIFEST_MIB } from '../artifacts/manifest/sdk-manifest.js';
import { TransfersService } from './transfers.service.js';

/** Open to whoever has an address: it carries its permission, signed (see UrlSigner). */
@Controller('transfers')
@Public()
@ApiExcludeController()
export class TransfersController {
  constructor(
    private readonly transfers: TransfersService,
    private readonly reader: ArtifactReader,
  ) {}

  /** Takes the file that the address is for. */
  @Put(':token')
  @HttpCode(200)
  @StreamedBody()
  async put(@Param('token') token: string, @Req() request: Request): Promise<void> {
    await this.transfers.receive(token, request);
  }

  /** Takes the manifest that the address is for. */
  @Put('manifests/:token')
  @HttpCode(200)
  @RawBody({ mebibytes: MAX_MANIFEST_MIB })
  async putManifest(@Param('token') token: string, @Body() body: Buffer): Promise<void> {
    await this.transfers.receiveManifest(token, body);
  }

  /** Answers with the manifest that the address is for. */
  @Get('manifests/:token')
  async getManifest(@Param('token') token: string, @Res() response: Response): Promise<void> {
    response.type('application/json').send(await this.transfers.manifest(token));
  }

  /** Answers with the content that the address is for. */
  @Get(':token')
  async get(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    return sendFile(request, response, this.reader, await this.transfers.content(token));
  }
}
