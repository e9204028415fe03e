import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactsModule } from '@heddle/artifacts';
import { Registry } from '@heddle/database';
import { ProjectsModule } from '@heddle/projects';
import { LinksController } from './links.controller.js';
import { LinksService } from './links.service.js';
import { RefsController } from './refs.controller.js';
import { RefsService } from './refs.service.js';
import { RegistriesController } from './registries.controller.js';
import { RegistriesService } from './registries.service.js';
import { RegistryAccessService } from './registry-access.service.js';
import { RegistryCollectionsController } from './registry-collections.controller.js';
import { RegistryCollectionsService } from './registry-collections.service.js';
import { RegistryMembersController } from './registry-members.controller.js';
import { RegistryMembersService } from './registry-members.service.js';
import { TeamRegistriesPart } from './team-registries.part.js';

/** Registries over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([Registry]), ArtifactsModule, ProjectsModule],
  controllers: [
    RegistriesController,
    RegistryMembersController,
    RegistryCollectionsController,
    LinksController,
    RefsController,
  ],
  providers: [
    LinksService,
    RefsService,
    RegistriesService,
    RegistryAccessService,
    RegistryCollectionsService,
    RegistryMembersService,
    TeamRegistriesPart,
  ],
  exports: [LinksService, RegistriesService, RegistryAccessService, RegistryCollectionsService, RegistryMembersService],
})
export class RegistriesModule {}
