import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { FilesModule } from '../files/files.module.js';
import { ProjectSettingsController } from './project-settings.controller.js';
import { ProjectSettingsService } from './project-settings.service.js';

@Module({
  imports: [FilesModule, ProjectsModule],
  controllers: [ProjectSettingsController],
  providers: [ProjectSettingsService],
})
export class ProjectSettingsModule {}
