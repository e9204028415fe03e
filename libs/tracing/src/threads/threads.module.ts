import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { QueryModule } from '../query/query.module.js';
import { ThreadsController } from './threads.controller.js';
import { ThreadsService } from './threads.service.js';

@Module({
  imports: [ProjectsModule, QueryModule],
  controllers: [ThreadsController],
  providers: [ThreadsService],
})
export class ThreadsModule {}
