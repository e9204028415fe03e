import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBasicAuth, ApiBearerAuth, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ApiErrors } from '@heddle/http';
import type { Request } from 'express';
import type { Principal } from './principal.js';

export const AUTH_SCHEME = Symbol('AUTH_SCHEME');
export type AuthScheme = 'bearer' | 'basic' | 'none';

const UNAUTHORIZED = 'The API key is missing or not valid.';

/**
 * Opens a controller or a handler to callers with a valid API key, sent as a bearer token or as a basic password: either
 * works. The scheme is the one that the route's clients use; it is named where no key was sent.
 */
export const Authenticated = (scheme: 'bearer' | 'basic'): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(AUTH_SCHEME, scheme),
    ApiBearerAuth(),
    ApiBasicAuth(),
    // Tracing clients read other fields of an error.
    scheme === 'bearer' ? ApiErrors({ 401: UNAUTHORIZED }) : ApiUnauthorizedResponse({ description: UNAUTHORIZED }),
  );

/** Opens a route to everybody. Only for what shows nothing: probes, version, documentation. */
export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(AUTH_SCHEME, 'none');

/** The authenticated {@link Principal}. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (!user) throw new Error('@Caller() on a route without @Authenticated()');
  return user as Principal;
});
