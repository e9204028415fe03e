import { Injectable } from '@nestjs/common';
import { parseArtifactRef, VersionsRepository } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import type { Checkpoint } from '@heddle/database';
import { ModelAccessService } from '../models/model-access.service.js';
import { hasBeenTrained, type ModelRef } from '../models/model-ref.js';
import { AdapterStore } from './adapter.store.js';
import { CheckpointNotFoundError, NoCheckpointLeftError } from './checkpoints.errors.js';
import { CheckpointsRepository } from './checkpoints.repository.js';

export interface ResolvedCheckpoint extends ModelRef {
  /** 0 is the untrained adapter. */
  step: number;
  /** null at step 0. */
  checkpoint: Checkpoint | null;
}

export interface OpenAdapter {
  /** null samples the base model. */
  directory: string | null;
  /** Says that it is not needed any more. A directory that is released may go. */
  release(): void;
}

const LATEST = 'latest';
const STEP = /^step(0|[1-9]\d{0,8})$/;

/** Finds checkpoints by the names that clients have for them. */
@Injectable()
export class CheckpointReader {
  constructor(
    private readonly access: ModelAccessService,
    private readonly checkpoints: CheckpointsRepository,
    private readonly versions: VersionsRepository,
    private readonly adapters: AdapterStore,
  ) {}

  /**
   * `wandb-artifact:///entity/project/name`, with two slashes or three or without the scheme: the latest checkpoint, or step
   * 0 where there has been none. `:stepN` names a step; `:latest`, another alias, `:vN` or a digest one of the artifact's versions.
   * @param loc where the ref stands in the request, for the error
   * @throws ValidationError | ModelNotFoundError | CheckpointNotFoundError
   */
  async resolve(caller: Principal, ref: string, loc: (string | number)[]): Promise<ResolvedCheckpoint> {
    const { entity, project, collection, version } = parseArtifactRef(ref, loc);
    const model = await this.access.findByName(caller, { entity, project, model: collection });
    return this.find(model, version);
  }

  /** @throws CheckpointNotFoundError | NoCheckpointLeftError */
  async find(ref: ModelRef, version: string = LATEST): Promise<ResolvedCheckpoint> {
    const { model } = ref;
    if (version === LATEST) {
      const latest = await this.checkpoints.findLatest(model.id);
      if (!latest && hasBeenTrained(model)) throw new NoCheckpointLeftError(model.name);
      return resolved(ref, latest);
    }
    const step = STEP.exec(version)?.[1];
    if (step === '0') return resolved(ref, null);
    const checkpoint =
      step === undefined
        ? await this.findByVersion(ref, version)
        : await this.checkpoints.findByStep(model.id, Number(step));
    if (!checkpoint) throw new CheckpointNotFoundError(model.name, version);
    return resolved(ref, checkpoint);
  }

  /** The adapter's directory on this disk, held until it is released: nobody deletes the checkpoint meanwhile. */
  async open({ checkpoint }: Pick<ResolvedCheckpoint, 'checkpoint'>): Promise<OpenAdapter> {
    if (!checkpoint) return { directory: null, release: () => undefined };
    return this.adapters.open(checkpoint.versionId);
  }

  private async findByVersion({ model }: ModelRef, version: string): Promise<Checkpoint | null> {
    const row = model.collectionId === null ? null : await this.versions.find(model.collectionId, version);
    return row && this.checkpoints.findByVersion(model.id, row.id);
  }
}

const resolved = (ref: ModelRef, checkpoint: Checkpoint | null): ResolvedCheckpoint => ({
  ...ref,
  step: checkpoint?.step ?? 0,
  checkpoint,
});
