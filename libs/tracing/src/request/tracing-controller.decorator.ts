import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@heddle/auth';
import { RawBody } from '@heddle/http';
import { TraceErrors } from './trace-errors.decorator.js';

/** Official clients send up to 31 MiB; files more. */
const BODY_LIMIT_MIB = 64;

/** A controller of the tracing API: basic auth, and bodies as their own bytes (see {@link TraceBodyPipe}). */
export const TracingController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(path),
    Authenticated('basic'),
    RawBody({ mebibytes: BODY_LIMIT_MIB }),
    ApiTags('tracing'),
    TraceErrors(),
  );
