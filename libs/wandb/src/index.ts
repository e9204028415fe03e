export { WandbModule } from './wandb.module.js';
export { SDK_TABLES, VERSIONS_OF_RUNS } from './wandb-archive.js';
