import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import { type StreamAnswer, FileStreamService } from './file-stream.service.js';

/** Greatest body, in MiB: 20,000 points of 20 metrics, which a client sends at once, are 11. */
const LIMIT_MIB = 64;

@Controller('files/:entity/:project/:run/file_stream')
@Authenticated('basic')
@ApiExcludeController()
export class FileStreamController {
  constructor(private readonly stream: FileStreamService) {}

  /** Takes what a run's client has to say. */
  @Post()
  @HttpCode(200)
  @RawBody({ mebibytes: LIMIT_MIB })
  async take(
    @Caller() caller: Principal,
    @Param() { entity, project, run }: { entity: string; project: string; run: string },
    @Body() body: Buffer,
  ): Promise<StreamAnswer> {
    return this.stream.take(caller, { entityName: entity, projectName: project, runName: run }, body);
  }
}
