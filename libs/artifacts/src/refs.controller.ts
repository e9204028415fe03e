import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { ArtifactReader } from './artifact-reader.service.js';
import { RefQuery } from './dto/ref.dto.js';
import { VersionDto } from './dto/version.dto.js';

@Controller('v1/artifact-refs')
@Authenticated('bearer')
@ApiTags('artifacts')
export class RefsController {
  constructor(private readonly reader: ArtifactReader) {}

  /** Shows the version that a ref names. */
  @Get()
  @ApiErrors({
    404: 'There is no such version, collection or project, or you have no role in the project.',
    422: 'This is no ref.',
  })
  async get(@Caller() caller: Principal, @Query() { ref }: RefQuery): Promise<VersionDto> {
    return VersionDto.from((await this.reader.resolve(caller, ref, ['query', 'ref'])).version);
  }
}
