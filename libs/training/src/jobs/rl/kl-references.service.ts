import { Injectable } from '@nestjs/common';
import { TrainingJob } from '@heddle/database';
import { klReferenceStep, RL_SETTINGS, type RlConfig } from '@heddle/engine';
import { ValidationError } from '@heddle/http';
import { CheckpointsRepository } from '@heddle/models';
import { type EntityManager, In } from 'typeorm';

const LOC = ['body', 'experimental_config'];

/** The checkpoints that KL penalties compare with. */
@Injectable()
export class KlReferencesService {
  constructor(private readonly checkpoints: CheckpointsRepository) {}

  /**
   * Before a job is added, while its model is locked. Which checkpoint a lag comes to is known only where no other job
   * makes one before: otherwise the job itself fails where it is not there.
   * @param config JSON text
   * @throws ValidationError where the checkpoint is not there
   */
  async requireThere(manager: EntityManager, modelId: string, config: string): Promise<void> {
    const set = RL_SETTINGS.known(JSON.parse(config) as Record<string, unknown>);
    const latest = (await this.checkpoints.findLatest(modelId, manager))?.step ?? 0;
    const step = klReferenceStep(set, latest);
    if (!step || (await this.isOpen(manager, modelId, set))) return;
    const [found] = await this.checkpoints.findSteps(modelId, [step], manager);
    if (!found) throw missing(set, step, latest);
  }

  private async isOpen(
    manager: EntityManager,
    modelId: string,
    { kl_penalty_step_lag: lag }: RlConfig,
  ): Promise<boolean> {
    if (lag === undefined) return false;
    return manager.existsBy(TrainingJob, { modelId, state: In(['RUNNING', 'QUEUED'] as const) });
  }
}

function missing(set: RlConfig, step: number, latest: number): ValidationError {
  const name = set.kl_penalty_step_lag === undefined ? 'kl_penalty_reference_step' : 'kl_penalty_step_lag';
  const newest = latest === 0 ? 'it has none' : `its latest is step ${latest}`;
  const msg = `names step ${step}, of which the model has no checkpoint: ${newest}, and deleted ones are gone`;
  return ValidationError.at([...LOC, name], msg, 'checkpoint_not_found', set[name]);
}
