import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ModelServer } from '../support/model-server.mjs';

/** It starts its engine through uv, which need not be here. */
const UV = '#!/bin/sh\nwhile [ "$1" != "-m" ]; do shift; done\nexec "$TRAINER_PYTHON" "$@"\n';
const BACKEND = { max_lora_adapters: 8, max_lora_rank: 32, train_micro_batch_size: 8, sample_max_num_sequences: 16 };

/** SkyRL tx, the real one, on the CPU, with the shipped base model. */
export class SkyRlServer extends ModelServer {
  constructor() {
    super('SkyRL', '/api/v1/healthz');
    /** The directory of its base model, which is its name there. */
    this.base = join(this.folder, 'base');
  }

  /** @param {string} python of an environment with skyrl-tx */
  async start(python) {
    const shipped = resolve('libs/engine/base-models/shuttle');
    execFileSync(python, [resolve('test/trainer/float32_model.py'), shipped, this.base]);
    writeFileSync(join(this.folder, 'uv'), UV, { mode: 0o755 });
    const args = ['--base-model', this.base, '--checkpoints-base', join(this.folder, 'weights')];
    args.push('--backend-config', JSON.stringify(BACKEND));
    await this.run(python, 'tx.tinker.api', args, {
      PATH: `${this.folder}:${process.env.PATH}`,
      TRAINER_PYTHON: python,
      TX_DATABASE_URL: `sqlite:///${join(this.folder, 'requests.db')}`,
      JAX_PLATFORMS: 'cpu',
    });
  }
}
