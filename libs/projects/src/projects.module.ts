import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule, UserReaderModule } from '@heddle/accounts';
import { Project } from '@heddle/database';
import { PlaceMembersService } from './place-members.service.js';
import { ProjectAccessService } from './project-access.service.js';
import { ProjectDeletionService } from './project-deletion.service.js';
import { ProjectMembersController } from './project-members.controller.js';
import { ProjectMembersService } from './project-members.service.js';
import { ProjectRepository } from './project.repository.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project]), AccountsModule, UserReaderModule],
  controllers: [ProjectsController, ProjectMembersController],
  providers: [
    PlaceMembersService,
    ProjectAccessService,
    ProjectDeletionService,
    ProjectMembersService,
    ProjectRepository,
    ProjectsService,
  ],
  exports: [PlaceMembersService, ProjectAccessService, ProjectDeletionService, ProjectsService],
})
export class ProjectsModule {}
