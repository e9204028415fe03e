export { ArchiveUpkeepModule } from './archive-upkeep.module.js';
export { ArchivesModule } from './archives.module.js';
