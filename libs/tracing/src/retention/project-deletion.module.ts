import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { ProjectTracesPart } from './project-traces.part.js';

/** What becomes of traces when their project is deleted. */
@Module({ imports: [ProjectsModule], providers: [ProjectTracesPart] })
export class ProjectDeletionModule {}
