import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { TableReader } from './table-reader.js';
import { TableRowsWriter } from './table-rows.writer.js';
import { TablesController } from './tables.controller.js';
import { TablesRepository } from './tables.repository.js';
import { TablesService } from './tables.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [TablesController],
  providers: [TablesService, TablesRepository, TableReader, TableRowsWriter],
  exports: [TablesRepository, TablesService],
})
export class TablesModule {}
