import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { fieldsOf } from '../bodies/body-fields.js';
import { ignoresUnknownFields, unknownField } from '../bodies/unknown-fields.js';
import { ValidationError } from '../errors/api-error.js';

/** Whoever probes may add something to get past a cache. */
const PROBES = /^\/v1\/(health|system-check)$/;

/**
 * Refuses query parameters that the route doesn't know, where people write requests: `?limt=5` must not answer as many as
 * ever. A guard, since a pipe only sees the parameters of handlers that have some.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly known = new WeakMap<object, string[]>();

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?') || ignoresUnknownFields(request.path) || PROBES.test(request.path)) return true;
    const known = this.parametersOf(context);
    const unknown = Object.keys(request.query).filter((name) => !known.includes(name));
    if (unknown.length === 0) return true;
    throw new ValidationError(unknown.map((name) => unknownField(['query'], name, known, 'query parameter')));
  }

  private parametersOf(context: ExecutionContext): string[] {
    const handler = context.getHandler();
    let names = this.known.get(handler);
    if (!names) this.known.set(handler, (names = queryParametersOf(context.getClass(), handler.name)));
    return names;
  }
}

type Arguments = Record<string, { index: number; data?: unknown }>;

/** What a handler reads: `@Query('name')`, and the fields of `@Query() query: SomeQuery`. */
function queryParametersOf(controller: { prototype: object }, handler: string): string[] {
  const read = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Arguments;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype, handler) ?? []) as unknown[];
  return Object.entries(read)
    .filter(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`))
    .flatMap(([, { index, data }]) => (typeof data === 'string' ? [data] : fieldsOf(types[index])));
}
