import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { QueryModule } from '../query/query.module.js';
import { FeedbackReportsController } from './feedback-reports.controller.js';
import { FeedbackReportsService } from './feedback-reports.service.js';

@Module({
  imports: [ProjectsModule, QueryModule],
  controllers: [FeedbackReportsController],
  providers: [FeedbackReportsService],
})
export class FeedbackReportsModule {}
