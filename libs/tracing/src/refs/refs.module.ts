import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ObjectsModule } from '../objects/objects.module.js';
import { TablesModule } from '../tables/tables.module.js';
import { RefsController } from './refs.controller.js';
import { RefsRepository } from './refs.repository.js';
import { RefsService } from './refs.service.js';

@Module({
  imports: [ProjectsModule, ObjectsModule, TablesModule],
  controllers: [RefsController],
  providers: [RefsService, RefsRepository],
  exports: [RefsService],
})
export class RefsModule {}
