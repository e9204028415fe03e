import { Module } from '@nestjs/common';
import { GraphqlModule } from './graphql/graphql.module.js';

/** What the `wandb` SDK speaks, over the runs, artifacts and projects of other features: it owns no truth of its own. */
@Module({ imports: [GraphqlModule] })
export class WandbModule {}
