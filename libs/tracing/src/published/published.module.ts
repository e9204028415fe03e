import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { TablesModule } from '../tables/tables.module.js';
import { OBJECT_KINDS } from './object-kinds.js';
import { controllerOfKind } from './controller-of-kind.js';
import { PublishedObjectsService } from './published-objects.service.js';

@Module({
  imports: [FilesModule, ObjectsModule, TablesModule],
  controllers: OBJECT_KINDS.map(controllerOfKind),
  providers: [PublishedObjectsService],
  exports: [PublishedObjectsService],
})
export class PublishedModule {}
