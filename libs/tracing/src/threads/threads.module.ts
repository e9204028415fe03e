import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { CallsModule } from '../calls/calls.module.js';
import { ThreadsController } from './threads.controller.js';
import { ThreadsService } from './threads.service.js';

@Module({
  imports: [CallsModule, ProjectsModule],
  controllers: [ThreadsController],
  providers: [ThreadsService],
})
export class ThreadsModule {}
