import { applyDecorators, SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = Symbol('BODY_LIMIT');
export const BODY_KIND = Symbol('BODY_KIND');

/** Largest body of the route, in MiB, after decompression. */
export const BodyLimit = (mebibytes: number): MethodDecorator & ClassDecorator => SetMetadata(BODY_LIMIT, mebibytes);

/** `@Body()` is the body's own bytes (a Buffer), whatever the content type says: for payloads that must survive as text. */
export const RawBody = (limit?: { mebibytes: number }): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(BODY_KIND, 'raw'), ...(limit ? [BodyLimit(limit.mebibytes)] : []));

/** The handler reads the request stream itself (uploads). */
export const StreamedBody = (): MethodDecorator & ClassDecorator => SetMetadata(BODY_KIND, 'stream');
