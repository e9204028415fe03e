import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { refIn } from '@heddle/artifacts';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { RefQuery, ResolvedVersionDto } from './dto/ref.dto.js';
import { RefsService } from './refs.service.js';

@Controller('v1/artifact-refs')
@Authenticated('bearer')
@ApiTags('artifacts')
export class RefsController {
  constructor(private readonly refs: RefsService) {}

  /** Shows the version that a ref names, in a project or in a registry. */
  @Get()
  @ApiErrors({
    404: 'There is no such version, collection, project or registry, or you have no role in it.',
    422: 'This is no ref.',
  })
  async get(@Caller() caller: Principal, @Query() { ref }: RefQuery): Promise<ResolvedVersionDto> {
    const { version, collection } = await this.refs.resolve(caller, ref, ['query', 'ref']);
    return ResolvedVersionDto.resolved(version, refIn(collection, version));
  }
}
