import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '@heddle/config';
import type { Engine } from '@heddle/engine';
import { createEngine } from './create-engine.js';

export const ENGINE = Symbol('ENGINE');

/** `@InjectEngine() engine: Engine`: the one of this process. Its threads start when it is first asked for something. */
export const InjectEngine = (): ParameterDecorator => Inject(ENGINE);

@Module({
  providers: [{ provide: ENGINE, inject: [Env], useFactory: createEngine }],
  exports: [ENGINE],
})
export class EngineModule implements OnApplicationShutdown {
  constructor(@InjectEngine() private readonly engine: Engine) {}

  /** After the requests and jobs that use it: they end before. */
  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
