import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ObjectLabelsController } from './object-labels.controller.js';
import { ObjectLabelsService } from './object-labels.service.js';
import { ObjectsController } from './objects.controller.js';
import { ObjectsRepository } from './objects.repository.js';
import { ObjectsService } from './objects.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [ObjectsController, ObjectLabelsController],
  providers: [ObjectsService, ObjectLabelsService, ObjectsRepository],
  exports: [ObjectsRepository, ObjectsService],
})
export class ObjectsModule {}
