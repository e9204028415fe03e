import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Project } from '@heddle/database';
import { ProjectAccessService } from './project-access.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Project])],
  providers: [ProjectAccessService],
  exports: [ProjectAccessService],
})
export class ProjectsModule {}
