export { RegistriesModule } from './registries.module.js';
export { RegistryNotFoundError } from './registries.errors.js';
export { RegistryAccessService, type RegistryName, type RegistryRef } from './registry-access.service.js';
