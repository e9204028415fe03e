export { ProjectAccessService, type ProjectRef } from './project-access.service.js';
export { MAX_NAME_LENGTH, parseProjectId, type ProjectName } from './project-id.js';
export { EntityNotFoundError, MissingRoleError, ProjectNotFoundError } from './projects.errors.js';
export { ProjectsModule } from './projects.module.js';
