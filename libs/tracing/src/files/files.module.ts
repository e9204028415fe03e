import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { FilesController } from './files.controller.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [FilesController],
  providers: [FilesService, FilesRepository],
  exports: [FilesService],
})
export class FilesModule {}
