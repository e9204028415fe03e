import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CallsModule } from '../calls/calls.module.js';
import { CostsModule } from '../costs/costs.module.js';
import { CallStatsService } from './call-stats.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [CallsModule, CostsModule, ProjectsModule],
  controllers: [UsageController],
  providers: [CallStatsService, UsageService],
})
export class UsageModule {}
