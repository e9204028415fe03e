import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf, PageQuery } from '@heddle/http';
import { WebhookTestDto } from './attempt.dto.js';
import {
  CreateWebhookDto,
  TeamWebhooksPath,
  TestWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookPath,
} from './webhook.dto.js';
import { PLACEHOLDERS_DESCRIPTION } from './payload.decorator.js';
import { CHANGES, NEW_WEBHOOKS } from './webhook-examples.js';
import { WebhooksService } from './webhooks.service.js';

const FORBIDDEN = 'You are not an administrator of the team.';
const NO_TEAM = 'There is no such team, or you are not a member.';
const NO_WEBHOOK = 'There is no such team, you are not a member, or the team has no such webhook.';
const INVALID =
  'A field is not valid, the endpoint is not one that may be reached (`https_required`, `blocked_address`, ...), or there is no such secret, or its value is not fit for its use.';
const NO_KEY = 'The server has no key for secrets: its operator must set `SECRETS_KEY`.';

@Controller('v1/teams/:team/webhooks')
@Authenticated('bearer')
@ApiTags('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  /** Registers an endpoint that automations send events to. Team administrators only. */
  @Post()
  @ApiBody({ type: CreateWebhookDto, examples: NEW_WEBHOOKS })
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_TEAM,
    409: 'The team has a webhook of that name, or 100 webhooks.',
    422: INVALID,
    503: NO_KEY,
  })
  async create(
    @Caller() caller: Principal,
    @Param() { team }: TeamWebhooksPath,
    @Body() dto: CreateWebhookDto,
  ): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.create(caller, team, CreateWebhookDto.toSettings(dto)));
  }

  /** Lists the team's webhooks and how their deliveries have been going. Team administrators only. */
  @Get()
  @ApiPage(WebhookDto)
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_TEAM,
    422: 'The query is not valid, or the team has no webhook with the id `after`.',
  })
  async list(
    @Caller() caller: Principal,
    @Param() { team }: TeamWebhooksPath,
    @Query() query: PageQuery,
  ): Promise<Page<WebhookDto>> {
    return pageOf((await this.webhooks.list(caller, team, query)).map(WebhookDto.from), query.limit);
  }

  /** Shows a webhook. Team administrators only. */
  @Get(':id')
  @ApiErrors({ 403: FORBIDDEN, 404: NO_WEBHOOK, 422: 'The id is not a uuid.' })
  async get(@Caller() caller: Principal, @Param() { team, id }: WebhookPath): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.get(caller, team, id));
  }

  /** Changes a webhook; what the body doesn't name stays. Enabling forgets past failures. Team administrators only. */
  @Patch(':id')
  @ApiBody({ type: UpdateWebhookDto, examples: CHANGES })
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_WEBHOOK,
    409: 'The team has a webhook of that name.',
    422: INVALID,
    503: NO_KEY,
  })
  async update(
    @Caller() caller: Principal,
    @Param() { team, id }: WebhookPath,
    @Body() dto: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.update(caller, team, id, UpdateWebhookDto.toChanges(dto)));
  }

  /** Deletes a webhook. Team administrators only. */
  @Delete(':id')
  @HttpCode(204)
  @ApiErrors({ 403: FORBIDDEN, 404: NO_WEBHOOK, 422: 'The id is not a uuid.' })
  async delete(@Caller() caller: Principal, @Param() { team, id }: WebhookPath): Promise<void> {
    await this.webhooks.delete(caller, team, id);
  }

  /** Sends the endpoint one request, just as a delivery is sent, and shows the answer. Team administrators only. */
  @Post(':id/test')
  @HttpCode(200)
  @ApiBody({ type: TestWebhookDto, description: PLACEHOLDERS_DESCRIPTION })
  @ApiErrors({
    403: FORBIDDEN,
    404: NO_WEBHOOK,
    422: 'The payload is not JSON, or names a variable that does not exist: the answer says where.',
  })
  async test(
    @Caller() caller: Principal,
    @Param() { team, id }: WebhookPath,
    @Body() { payload }: TestWebhookDto,
  ): Promise<WebhookTestDto> {
    return WebhookTestDto.from(await this.webhooks.test(caller, team, id, payload));
  }
}
