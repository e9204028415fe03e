export { LinksService } from './links.service.js';
export { RegistriesModule } from './registries.module.js';
export { RegistriesService } from './registries.service.js';
export { RegistryNotFoundError } from './registries.errors.js';
export { RegistryAccessService, type RegistryName, type RegistryRef } from './registry-access.service.js';
export { type RegistryCollectionName, RegistryCollectionsService } from './registry-collections.service.js';
export { RegistryMembersService } from './registry-members.service.js';
