import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { DatasetSourcesController } from './dataset-sources.controller.js';
import { DatasetSourcesRepository } from './dataset-sources.repository.js';
import { DatasetSourcesService } from './dataset-sources.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [DatasetSourcesController],
  providers: [DatasetSourcesRepository, DatasetSourcesService],
})
export class DatasetSourcesModule {}
