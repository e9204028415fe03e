import { Module } from '@nestjs/common';
import { PruneSpoolFoldersHandler } from './importing/prune-spool-folders.handler.js';
import { SpoolFoldersService } from './importing/spool-folders.service.js';

/** For the worker: what imports left behind whose process was killed. */
@Module({ providers: [PruneSpoolFoldersHandler, SpoolFoldersService] })
export class ArchiveUpkeepModule {}
