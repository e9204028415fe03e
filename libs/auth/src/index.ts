export { AUTH_SCHEME, Authenticated, type AuthScheme, Caller, Public } from './auth.decorators.js';
export type { Membership, Principal } from './principal.js';
