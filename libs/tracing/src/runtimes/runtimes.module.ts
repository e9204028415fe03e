import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ObjectsModule } from '../objects/objects.module.js';
import { RuntimesController } from './runtimes.controller.js';
import { RuntimesService } from './runtimes.service.js';

@Module({
  imports: [ObjectsModule, ProjectsModule],
  controllers: [RuntimesController],
  providers: [RuntimesService],
})
export class RuntimesModule {}
