import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '@heddle/config';
import { Webhook } from '@heddle/database';
import { SecretVaultModule } from '@heddle/secrets';
import { EndpointGuard } from './endpoints/endpoint-guard.js';
import { HostAllowList } from './endpoints/host-allow-list.js';
import { SystemHostResolver } from './endpoints/host-resolver.js';
import { WebhookDeliveryService } from './sending/webhook-delivery.service.js';
import { WebhookSender } from './sending/webhook-sender.js';
import { WebhooksRepository } from './webhooks/webhooks.repository.js';

/** What delivers to webhooks, in the API and in the worker: no routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), SecretVaultModule],
  providers: [
    {
      provide: EndpointGuard,
      inject: [Env],
      useFactory: (env: Env) => new EndpointGuard(new HostAllowList(env.webhookAllowedHosts), new SystemHostResolver()),
    },
    {
      provide: WebhookSender,
      inject: [EndpointGuard],
      useFactory: (guard: EndpointGuard) => new WebhookSender(guard),
    },
    WebhookDeliveryService,
    WebhooksRepository,
  ],
  exports: [EndpointGuard, WebhookDeliveryService, WebhookSender, WebhooksRepository],
})
export class WebhookDeliveryModule {}
