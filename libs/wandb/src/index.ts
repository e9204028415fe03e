export { WandbModule } from './wandb.module.js';
