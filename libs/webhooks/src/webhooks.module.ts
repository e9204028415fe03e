import { Module } from '@nestjs/common';
import { SecretVaultModule } from '@heddle/secrets';
import { WebhookCredentialsService } from './webhooks/webhook-credentials.service.js';
import { WebhookSecretsPart } from './webhooks/webhook-secrets.part.js';
import { WebhookDeliveryModule } from './webhook-delivery.module.js';
import { PayloadTemplatesController } from './webhooks/payload-templates.controller.js';
import { UsableWebhooksController } from './webhooks/usable-webhooks.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

/** The webhooks of teams, over HTTP. */
@Module({
  imports: [SecretVaultModule, WebhookDeliveryModule],
  controllers: [WebhooksController, UsableWebhooksController, PayloadTemplatesController],
  providers: [WebhookCredentialsService, WebhookSecretsPart, WebhooksService],
})
export class WebhooksModule {}
