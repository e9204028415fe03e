import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller, type Principal } from '@heddle/auth';
import { ApiErrors, ApiPage, type Page, pageOf } from '@heddle/http';
import { ListUsableWebhooksQuery, UsableWebhookDto } from './usable-webhook.dto.js';
import { WebhooksRepository } from './webhooks.repository.js';

@Controller('v1/webhooks')
@Authenticated('bearer')
@ApiTags('webhooks')
export class UsableWebhooksController {
  constructor(private readonly webhooks: WebhooksRepository) {}

  /**
   * Lists the webhooks that your automations may use: those of your teams, and of teams whose projects or registries you
   * administer. Where they lead is for the team's administrators to know.
   */
  @Get()
  @ApiPage(UsableWebhookDto)
  @ApiErrors({ 422: 'The query is not valid, or the list has no webhook with the id `after`.' })
  async list(@Caller() caller: Principal, @Query() query: ListUsableWebhooksQuery): Promise<Page<UsableWebhookDto>> {
    const { team, ...page } = query;
    return pageOf((await this.webhooks.findUsablePage(caller, team, page)).map(UsableWebhookDto.from), query.limit);
  }
}
