export { EntityNotFoundError, MissingRoleError } from '@heddle/auth';
export { resolveEntity } from './default-entity.js';
export { type Place, type PlaceMember, PlaceMembersService } from './place-members.service.js';
export { effectiveRole, includesRole } from './place-role.js';
export { ProjectAccessService, type ProjectRef } from './project-access.service.js';
export { MAX_NAME_LENGTH, parseProjectId, type ProjectName } from './project-id.js';
export { NoDefaultEntityError, ProjectNotFoundError } from './projects.errors.js';
export { ProjectsModule } from './projects.module.js';
export { ProjectsService } from './projects.service.js';
