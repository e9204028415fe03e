import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Project } from '@heddle/database';
import { ProjectAccessService } from './project-access.service.js';
import { ProjectRepository } from './project.repository.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project])],
  controllers: [ProjectsController],
  providers: [ProjectAccessService, ProjectRepository, ProjectsService],
  exports: [ProjectAccessService],
})
export class ProjectsModule {}
