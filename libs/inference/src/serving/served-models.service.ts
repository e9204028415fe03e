import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { BaseModelsService } from '@heddle/base-models';
import type { BaseModelInfo } from '@heddle/engine';
import { NotFoundError, ValidationError } from '@heddle/http';
import { CheckpointReader, ModelNotFoundError, type OpenAdapter, type ResolvedCheckpoint } from '@heddle/models';
import type { ProjectRef } from '@heddle/projects';
import { UnknownModelError } from '../inference.errors.js';
import { GatheredLookups } from './gathered-lookups.js';
import { type ListedModel, OURS, ServedModelListService } from './served-model-list.service.js';

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

/** Longest name that is repeated. */
const MAX_NAME = 200;
const NO_ADAPTER: OpenAdapter = { directory: null, release: () => undefined };
const BASE_ITSELF = { step: null, project: null, createdAt: null, isTraced: false, open: async () => NO_ADAPTER };

/** Finds what answers a chat: a checkpoint of a model that the caller may read, or a base model. */
@Injectable()
export class ServedModelsService {
  /** The rollouts of a training step all ask for the same model at the same time. */
  private readonly lookups = new GatheredLookups<ResolvedCheckpoint>();

  constructor(
    private readonly checkpoints: CheckpointReader,
    private readonly bases: BaseModelsService,
    private readonly list: ServedModelListService,
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

  /** One of them as the list shows it. @throws as {@link find} */
  async get(caller: Principal, id: string): Promise<ListedModel> {
    const { project, createdAt } = await this.find(caller, id);
    return { id, createdAt, owner: project?.entity ?? OURS };
  }

  private resolve(caller: Principal, name: string): Promise<ResolvedCheckpoint> {
    const lookUp = (): Promise<ResolvedCheckpoint> =>
      this.checkpoints.resolve(caller, name, ['body', 'model']).catch((error) => this.unknown(caller, name, error));
    return this.lookups.get(`${caller.userId} ${name}`, lookUp);
  }

  /** Who names no model at all (as clients of other services do at first) hears which there are. */
  private async unknown(caller: Principal, name: string, error: unknown): Promise<never> {
    if (!(error instanceof ValidationError || error instanceof ModelNotFoundError)) asUnknown(error);
    throw new UnknownModelError(`Model '${shown(name)}' not found. ${await this.list.inWords(caller)}`);
  }
}

const shown = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...` : name);

/** A name that can't be a model's is one that no model has. */
function asUnknown(error: unknown): never {
  if (error instanceof NotFoundError || error instanceof ValidationError) throw new UnknownModelError(error.message);
  throw error;
}
