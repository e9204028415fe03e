import { Module } from '@nestjs/common';
import { SecretVaultModule } from '@heddle/secrets';
import { WebhookCredentialsService } from './webhook-credentials.service.js';
import { WebhookDeliveryModule } from './webhook-delivery.module.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** The webhooks of teams, over HTTP. */
@Module({
  imports: [SecretVaultModule, WebhookDeliveryModule],
  controllers: [WebhooksController],
  providers: [WebhookCredentialsService, WebhooksService],
})
export class WebhooksModule {}
