export { digestOf, generateApiKey, prefixOf } from './api-key.js';
export { AUTH_SCHEME, Authenticated, type AuthScheme, Caller, Public } from './auth.decorators.js';
export { EntityNotFoundError, MissingRoleError, UnauthenticatedError } from './auth.errors.js';
export { AuthModule } from './auth.module.js';
export type { Membership, Principal } from './principal.js';
export { PrincipalsService } from './principals.service.js';
export { requireInstanceAdmin, requireMembership, requireTeamAdmin, requireTeamMember } from './team-access.js';
