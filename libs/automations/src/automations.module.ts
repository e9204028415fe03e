import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Automation, AutomationAttempt, AutomationEvent, AutomationExecution, Webhook } from '@heddle/database';
import { ProjectsModule } from '@heddle/projects';
import { RegistriesModule } from '@heddle/registries';
import { WebhookDeliveryModule } from '@heddle/webhooks';
import { AutomationFiringModule } from './automation-firing.module.js';
import { ActionWebhookService } from './automations/action-webhook.service.js';
import { AutomationChangesService } from './automations/automation-changes.service.js';
import { AutomationsController } from './automations/automations.controller.js';
import { AutomationsRepository } from './automations/automations.repository.js';
import { AutomationsService } from './automations/automations.service.js';
import { ScopeAccessService } from './automations/scope-access.service.js';
import { EvaluationController } from './evaluation/evaluation.controller.js';
import { EvaluationService } from './evaluation/evaluation.service.js';
import { StoredEventsRepository } from './evaluation/stored-events.repository.js';
import { ExecutionsController } from './executions/executions.controller.js';
import { ExecutionsRepository } from './executions/executions.repository.js';
import { ExecutionsService } from './executions/executions.service.js';
import { CausationMiddleware } from './firing/causation.middleware.js';

/** Automations and their history, over HTTP. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Automation, AutomationAttempt, AutomationEvent, AutomationExecution, Webhook]),
    ProjectsModule,
    RegistriesModule,
    WebhookDeliveryModule,
    AutomationFiringModule,
  ],
  controllers: [AutomationsController, EvaluationController, ExecutionsController],
  providers: [
    ActionWebhookService,
    AutomationChangesService,
    AutomationsRepository,
    AutomationsService,
    EvaluationService,
    ExecutionsRepository,
    ExecutionsService,
    ScopeAccessService,
    StoredEventsRepository,
  ],
})
export class AutomationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CausationMiddleware).forRoutes('{*path}');
  }
}
