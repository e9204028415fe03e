import { NestFactory } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { AUTH_SCHEME } from '@heddle/auth';
import { Env } from '@heddle/config';
import { ApiModule } from '../../apps/api/src/api.module.js';

type Handler = (...parameters: unknown[]) => unknown;

/** Every handler of the API, hidden ones too: preview mode looks at controllers without making them. */
async function handlers(): Promise<{ name: string; scheme: unknown }[]> {
  const app = await NestFactory.create(ApiModule.forRoot(Env.from({ NODE_ENV: 'test' })), {
    preview: true,
    logger: false,
  });
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: Record<string, Handler> }).prototype;
    return Object.getOwnPropertyNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name]!))
      .map((name) => ({
        name: `${(metatype as { name: string }).name}.${name}`,
        scheme:
          Reflect.getMetadata(AUTH_SCHEME, prototype[name]!) ?? Reflect.getMetadata(AUTH_SCHEME, metatype as object),
      }));
  });
}

describe('every route', () => {
  it('says who may call it', async () => {
    const all = await handlers();
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter(({ scheme }) => scheme === undefined)).toEqual([]);
  });
});
