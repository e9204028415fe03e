import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { RefsModule } from '../refs/refs.module.js';
import { AnnotationSpecsService } from './annotation-specs.service.js';
import { FeedbackController } from './feedback.controller.js';
import { FeedbackRepository } from './feedback.repository.js';
import { FeedbackService } from './feedback.service.js';

@Module({
  imports: [ProjectsModule, RefsModule],
  controllers: [FeedbackController],
  providers: [AnnotationSpecsService, FeedbackService, FeedbackRepository],
  exports: [FeedbackService],
})
export class FeedbackModule {}
