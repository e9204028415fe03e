import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CostsModule } from '../costs/costs.module.js';
import { QueryModule } from '../query/query.module.js';
import { RollupsModule } from '../rollups/rollups.module.js';
import { CallStatsService } from './call-stats.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [CostsModule, ProjectsModule, QueryModule, RollupsModule],
  controllers: [UsageController],
  providers: [CallStatsService, UsageService],
})
export class UsageModule {}
