import { ApiError, ForbiddenError, NotFoundError } from '@heddle/http';

export const REALM = 'heddle';

/** No key, or none that works. Says no more than that, and never repeats what was sent. */
export class UnauthenticatedError extends ApiError {
  constructor(scheme: 'bearer' | 'basic') {
    const challenge = `${scheme === 'bearer' ? 'Bearer' : 'Basic'} realm="${REALM}"`;
    super(401, 'unauthorized', 'The API key is missing or not valid', { 'www-authenticate': challenge });
  }
}

/** The route says neither who may use it nor that everybody may: a mistake of ours, on the safe side. */
export class RouteClosedError extends ForbiddenError {
  constructor() {
    super('This route is not open to anybody', 'route_closed');
  }
}

/** Also the answer for what exists but is another team's: nobody learns which. */
export class EntityNotFoundError extends NotFoundError {
  constructor(entity: string) {
    super(`Entity '${entity}' not found, or you are not a member of it`, 'entity_not_found');
  }
}

export class MissingRoleError extends ForbiddenError {
  constructor(role: string, place: string) {
    super(`You need the role '${role}' in ${place}`, 'missing_role');
  }
}
