import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { AnnotationQueuesController } from './annotation-queues.controller.js';
import { AnnotationQueuesRepository } from './annotation-queues.repository.js';
import { AnnotationQueuesService } from './annotation-queues.service.js';
import { QueueItemsController } from './queue-items.controller.js';
import { QueueItemsRepository } from './queue-items.repository.js';
import { QueueItemsService } from './queue-items.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [QueueItemsController, AnnotationQueuesController],
  providers: [AnnotationQueuesRepository, AnnotationQueuesService, QueueItemsRepository, QueueItemsService],
})
export class AnnotationQueuesModule {}
