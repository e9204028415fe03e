import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '@heddle/config';
import type { Engine } from '@heddle/engine';
import { BaseModelSupplyService } from './base-model-supply.service.js';
import { BaseModelsService } from './base-models.service.js';
import { RemoteServersService } from './remote-servers.service.js';
import { createEngine, type GrowingEngine } from './create-engine.js';
import { ENGINE } from './engine.token.js';
import type { BaseModelEntry } from './file/base-model-entry.js';
import { readBaseModels } from './file/base-models-file.js';

const ENTRIES = Symbol('BASE_MODEL_ENTRIES');

/** `@InjectEngine() engine: Engine`: the one of this process. Its threads start when it is first asked for something. */
export const InjectEngine = (): ParameterDecorator => Inject(ENGINE);

/** The engine and the base models that it has or will have, in the API and in the worker: no routes. */
@Module({
  providers: [
    { provide: ENGINE, inject: [Env], useFactory: createEngine },
    { provide: ENTRIES, inject: [Env], useFactory: readBaseModels },
    {
      provide: BaseModelSupplyService,
      inject: [ENGINE, ENTRIES, Env],
      useFactory: (engine: GrowingEngine, entries: BaseModelEntry[], env: Env) =>
        BaseModelSupplyService.open(engine, entries, env),
    },
    BaseModelsService,
    RemoteServersService,
  ],
  exports: [ENGINE, BaseModelsService, RemoteServersService],
})
export class EngineModule implements OnApplicationShutdown {
  constructor(@InjectEngine() private readonly engine: Engine) {}

  /** After the requests and jobs that use it: they end before. */
  async onApplicationShutdown(): Promise<void> {
    await this.engine.close();
  }
}
