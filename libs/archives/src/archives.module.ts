import { Module } from '@nestjs/common';
import { ArtifactStoreModule } from '@heddle/artifacts';
import { ProjectsModule } from '@heddle/projects';
import { ArchiveSlots } from './archive.slots.js';
import { ArchivesController } from './archives.controller.js';
import { ExportService } from './exporting/export.service.js';
import { ImportService } from './importing/import.service.js';
import { SpoolFoldersService } from './importing/spool-folders.service.js';

/** Projects and runs as one file, from one place to another. */
@Module({
  imports: [ArtifactStoreModule, ProjectsModule],
  controllers: [ArchivesController],
  providers: [ArchiveSlots, ExportService, ImportService, SpoolFoldersService],
})
export class ArchivesModule {}
