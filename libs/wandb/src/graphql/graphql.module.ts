import { Module } from '@nestjs/common';
import { ProjectsModule } from '@heddle/projects';
import { GraphqlController } from './graphql.controller.js';
import { GraphqlService } from './graphql.service.js';

@Module({ imports: [ProjectsModule], controllers: [GraphqlController], providers: [GraphqlService] })
export class GraphqlModule {}
