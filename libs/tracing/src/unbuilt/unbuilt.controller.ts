import { Delete, Get, Post, Put, Req } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { Request } from 'express';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { NotBuiltError } from './unbuilt.errors.js';
import { UNBUILT_ROUTES } from './unbuilt-routes.js';

const paths = (method: string): string[] =>
  UNBUILT_ROUTES.filter((route) => route.method === method).map(({ path }) => path);

/** Says of what clients may ask for and isn't there that it isn't, rather than that they asked wrongly. */
@TracingController()
export class UnbuiltController {
  @Get(paths('get'))
  @ApiExcludeEndpoint()
  get(@Req() request: Request): never {
    return refuse(request);
  }

  @Post(paths('post'))
  @ApiExcludeEndpoint()
  post(@Req() request: Request): never {
    return refuse(request);
  }

  @Put(paths('put'))
  @ApiExcludeEndpoint()
  put(@Req() request: Request): never {
    return refuse(request);
  }

  @Delete(paths('delete'))
  @ApiExcludeEndpoint()
  delete(@Req() request: Request): never {
    return refuse(request);
  }
}

function refuse({ method, path }: Request): never {
  throw new NotBuiltError(`${method} ${path}`);
}
