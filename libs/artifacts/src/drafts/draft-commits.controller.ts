import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors } from '@heddle/http';
import { DraftsService } from './drafts.service.js';
import { DraftPath } from './draft.dto.js';
import { CommitDraftDto, VersionDto } from '../versions/version.dto.js';

@Controller('v1/projects/:entity/:project/artifacts/:collection/drafts/:draft/commit')
@Authenticated('bearer')
@ApiTags('artifacts')
export class DraftCommitsController {
  constructor(private readonly drafts: DraftsService) {}

  /**
   * Makes a draft the collection's next version, `vN`. Project members only.
   *
   * @remarks `latest` moves to it, and so do the given aliases. Automations see the version, its aliases and its tags.
   */
  @Post()
  @HttpCode(200)
  @ApiErrors({
    403: 'You may only read in this project.',
    404: 'There is no such draft, collection or project, or you have no role in the project.',
    409: 'The draft is a version already.',
    422: 'A field is not valid, or an alias is reserved.',
  })
  async commit(
    @Caller() caller: Principal,
    @Param() path: DraftPath,
    @Body() dto: CommitDraftDto,
  ): Promise<VersionDto> {
    return VersionDto.from(await this.drafts.commit(caller, path, dto));
  }
}
