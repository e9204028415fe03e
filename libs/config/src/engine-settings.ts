import { availableParallelism } from 'node:os';
import { IsOptional, IsString, IsUrl, Matches } from 'class-validator';
import { IsIntegerSetting } from './integer-setting.decorator.js';

/** Settings of base models and of the engine on this machine: a part of Env. */
export class EngineSettings {
  /** YAML file that names the base models to train. Unset: only the one that ships. */
  @IsOptional()
  @IsString()
  BASE_MODELS?: string;

  /** Where `source: hub` in that file downloads from: the Hugging Face hub, or a mirror of it. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  HF_ENDPOINT = 'https://huggingface.co';

  /** The hub's access token, for gated and private models. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]+$/, { message: 'HF_TOKEN must be printable ASCII without spaces' })
  HF_TOKEN?: string;

  /** 1: nothing is asked of the hub, and only what has been downloaded before serves. */
  @Matches(/^(0|1|on|off|yes|no|true|false)$/i, { message: 'HF_HUB_OFFLINE must be 0 or 1' })
  HF_HUB_OFFLINE = '0';

  /** Threads of a process that sample, and as many that train. Unset: one for each core, at most 4. */
  @IsOptional()
  @IsIntegerSetting(1, 64)
  ENGINE_THREADS?: number;

  /** MiB for all base models that are loaded: weights, adapters, jobs, caches. Each of them takes 4 GiB at most. */
  @IsIntegerSetting(256, 1_048_576)
  ENGINE_MEMORY_MB = 2048;

  /** MiB of those for what is being sampled: attention keys and values. */
  @IsIntegerSetting(16, 3072)
  ENGINE_CACHE_MB = 512;

  /** Adapters of one base model that stay in memory, those in use aside: the least recently used goes. */
  @IsIntegerSetting(1, 10_000)
  ENGINE_ADAPTERS = 64;

  /** What the hub's own client takes for yes. */
  get isHubOffline(): boolean {
    return /^(1|on|yes|true)$/i.test(this.HF_HUB_OFFLINE);
  }

  get engineThreads(): number {
    return this.ENGINE_THREADS ?? Math.min(availableParallelism(), 4);
  }
}
