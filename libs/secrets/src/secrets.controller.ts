import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { CreateSecretDto, RotateSecretDto, SecretDto, SecretPath, TeamSecretsPath } from './dto/secret.dto.js';
import { SecretsService } from './secrets.service.js';

const FORBIDDEN = 'You are not an administrator of the team.';
const NO_TEAM = 'There is no such team, or you are not a member.';
const NO_SECRET = 'There is no such team, you are not a member, or the team has no such secret.';
const NO_KEY = 'The server has no key to encrypt with: its operator must set `SECRETS_KEY`.';

/** What the examples of webhooks name, in the same order. */
const EXAMPLES = {
  'access token': { value: { name: 'GITHUB_TOKEN', value: 'paste-the-token-here' } },
  'signing secret': { value: { name: 'SIGNING_SECRET', value: 'any-text-that-the-receiver-knows-too' } },
};

@Controller('v1/teams/:team/secrets')
@Authenticated('bearer')
@ApiTags('secrets')
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  /** Stores a secret for the team's webhooks: an access token or a signing secret. Team administrators only. */
  @Post()
  @ApiBody({ type: CreateSecretDto, examples: EXAMPLES })
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_TEAM,
    409: 'The team has a secret of that name (PUT rotates it), or 1,000 secrets.',
    422: 'The name is not valid or is that of a payload variable, or the value is empty, too long or not text.',
    503: NO_KEY,
  })
  async create(
    @Caller() caller: Principal,
    @Param() { team }: TeamSecretsPath,
    @Body() { name, value }: CreateSecretDto,
  ): Promise<SecretDto> {
    return SecretDto.from(await this.secrets.create(caller, team, name, value));
  }

  /** Lists the team's secrets: their names and who set them when, never their values. Team administrators only. */
  @Get()
  @ApiPage(SecretDto)
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_TEAM,
    422: 'The query is not valid, or the team has no secret with the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() { team }: TeamSecretsPath,
    @Query() query: PageQuery,
  ): Promise<Page<SecretDto>> {
    return pageOf((await this.secrets.list(caller, team, query)).map(SecretDto.from), query.limit);
  }

  /** Shows a secret without its value. Team administrators only. */
  @Get(':name')
  @ApiErrors({ 403: FORBIDDEN, 404: NO_SECRET, 422: 'A name is not valid.' })
  async get(@Caller() caller: Principal, @Param() { team, name }: SecretPath): Promise<SecretDto> {
    return SecretDto.from(await this.secrets.get(caller, team, name));
  }

  /** Rotates a secret: from the next delivery on, webhooks use the new value. Team administrators only. */
  @Put(':name')
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_SECRET,
    422: "The value is empty, too long or not text, or it isn't what a webhook needs that uses it (an access token: visible ASCII).",
    503: NO_KEY,
  })
  async rotate(
    @Caller() caller: Principal,
    @Param() { team, name }: SecretPath,
    @Body() { value }: RotateSecretDto,
  ): Promise<SecretDto> {
    return SecretDto.from(await this.secrets.rotate(caller, team, name, value));
  }

  /** Deletes a secret that no webhook uses. Team administrators only. */
  @Delete(':name')
  @HttpCode(204)
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_SECRET,
    409: 'Webhooks use the secret: the answer names them.',
    422: 'A name is not valid.',
  })
  async delete(@Caller() caller: Principal, @Param() { team, name }: SecretPath): Promise<void> {
    await this.secrets.delete(caller, team, name);
  }
}
