import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService } from '@heddle/base-models';
import type { BaseModelInfo } from '@heddle/engine';
import { NotFoundError, ValidationError } from '@heddle/http';
import { CheckpointReader, type OpenAdapter, type ResolvedCheckpoint } from '@heddle/models';
import type { ProjectRef } from '@heddle/projects';
import { UnknownModelError } from '../inference.errors.js';
import { GatheredLookups } from './gathered-lookups.js';

/** What a request's `model` stands for. */
export interface ServedModel {
  base: BaseModelInfo;
  /** null for a base model itself. */
  step: number | null;
  /** Whose model it is; null for a base model. */
  project: ProjectRef | null;
  /** Of the checkpoint, or of the model while it has none; null for a base model. */
  createdAt: Date | null;
  /** Whether the project wants its chat traced. */
  isTraced: boolean;
  /** The adapter's directory, held until it is released. */
  open(): Promise<OpenAdapter>;
}

const NO_ADAPTER: OpenAdapter = { directory: null, release: () => undefined };
const BASE_ITSELF = { step: null, project: null, createdAt: null, isTraced: false, open: async () => NO_ADAPTER };

/** Finds what answers a chat: a checkpoint of a model that the caller may read, or a base model. */
@Injectable()
export class ServedModels {
  /** The rollouts of a training step all ask for the same model at the same time. */
  private readonly lookups = new GatheredLookups<ResolvedCheckpoint>();

  constructor(
    private readonly checkpoints: CheckpointReader,
    private readonly bases: BaseModelsService,
  ) {}

  /**
   * Who has seen a training job end gets its checkpoint: nothing is remembered from one request to a later one.
   * @param name a base model's id, or what {@link CheckpointReader.resolve} reads
   * @throws UnknownModelError | BaseModelDownloadingError | BaseModelFailedError
   */
  async find(caller: Principal, name: string): Promise<ServedModel> {
    const base = this.bases.find(name);
    if (base) return { base, ...BASE_ITSELF };
    const resolved = await this.resolve(caller, name);
    const trainedOn = this.bases.find(resolved.model.baseModel);
    if (!trainedOn) throw new UnknownModelError(`The base model '${resolved.model.baseModel}' is not served here`);
    return {
      base: trainedOn,
      step: resolved.step,
      project: resolved.project,
      createdAt: (resolved.checkpoint ?? resolved.model).createdAt,
      isTraced: resolved.model.project.chatTracing,
      open: () => this.checkpoints.open(resolved).catch(asUnknown),
    };
  }

  private resolve(caller: Principal, name: string): Promise<ResolvedCheckpoint> {
    const lookUp = (): Promise<ResolvedCheckpoint> =>
      this.checkpoints.resolve(caller, name, ['body', 'model']).catch(asUnknown);
    return this.lookups.get(`${caller.userId} ${name}`, lookUp);
  }
}

/** A name that can't be a model's is one that no model has. */
function asUnknown(error: unknown): never {
  if (error instanceof NotFoundError || error instanceof ValidationError) throw new UnknownModelError(error.message);
  throw error;
}
