import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '@heddle/accounts';
import { ArchivesModule } from '@heddle/archives';
import { ArtifactsModule } from '@heddle/artifacts';
import { AuditModule } from '@heddle/audit';
import { AuthModule } from '@heddle/auth';
import { AutomationsModule } from '@heddle/automations';
import { BaseModelsModule } from '@heddle/base-models';
import { ConfigModule, type Env } from '@heddle/config';
import { DatabaseModule } from '@heddle/database';
import { HealthModule } from '@heddle/health';
import { HttpModule } from '@heddle/http';
import { InferenceModule } from '@heddle/inference';
import { ModelsModule } from '@heddle/models';
import { ProjectsModule } from '@heddle/projects';
import { QueuesModule } from '@heddle/queues';
import { RegistriesModule } from '@heddle/registries';
import { RunsModule } from '@heddle/runs';
import { SecretsModule } from '@heddle/secrets';
import { TracingModule } from '@heddle/tracing';
import { TrainingModule } from '@heddle/training';
import { WandbModule } from '@heddle/wandb';
import { WebhooksModule } from '@heddle/webhooks';

/** The HTTP process. It holds no state: start more of them to scale out. */
@Module({})
export class ApiModule {
  static forRoot(env: Env): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot('heddle-api'),
        QueuesModule.forRoot(),
        // In this order: a body is read when it is known whose it is.
        AuthModule,
        HttpModule,
        // A request is compared with one route after the other, so those with thousands of requests a second come first.
        InferenceModule,
        TracingModule,
        WandbModule,
        TrainingModule,
        AccountsModule,
        AuditModule,
        ProjectsModule,
        RunsModule,
        ArtifactsModule,
        RegistriesModule,
        BaseModelsModule,
        ModelsModule,
        SecretsModule,
        WebhooksModule,
        AutomationsModule,
        ArchivesModule,
        HealthModule,
      ],
    };
  }
}
