import { Body, Controller, HttpCode, Param, Post, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import { FileStreamErrorsFilter } from './file-stream-errors.filter.js';
import { type StreamAnswer, FileStreamService } from './file-stream.service.js';

/** Greatest body, in MiB. Clients send 10 at once, and a line of as many more, unless they are told otherwise. */
const LIMIT_MIB = 256;

@Controller('files/:entity/:project/:run/file_stream')
@Authenticated('basic')
@ApiExcludeController()
@UseFilters(FileStreamErrorsFilter)
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
