import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Deletion, type DeletionGuard, DeletionGuardRegistry } from '@heddle/artifacts';
import { Checkpoint } from '@heddle/database';
import { type EntityManager, In } from 'typeorm';
import { ModelsRepository } from '../models/models.repository.js';
import { AdapterStore } from './adapter.store.js';
import { CheckpointUsesRegistry } from './checkpoint-uses.registry.js';
import { CheckpointInUseError } from './checkpoints.errors.js';
import { CheckpointsRepository } from './checkpoints.repository.js';

/** Keeps checkpoints that somebody uses from being deleted, by whichever route. */
@Injectable()
export class CheckpointGuard implements DeletionGuard, OnModuleInit {
  constructor(
    private readonly checkpoints: CheckpointsRepository,
    private readonly models: ModelsRepository,
    private readonly adapters: AdapterStore,
    private readonly uses: CheckpointUsesRegistry,
    private readonly guards: DeletionGuardRegistry,
  ) {}

  onModuleInit(): void {
    this.guards.include(this);
  }

  /**
   * Of checkpoints of one model, which is locked. That one is the latest is not looked at.
   * @throws CheckpointInUseError that says which and why
   */
  async requireFree(manager: EntityManager, checkpoints: readonly Checkpoint[]): Promise<void> {
    if (checkpoints.length === 0) return;
    const { modelId } = checkpoints[0]!;
    const latest = await this.checkpoints.findLatest(modelId, manager);
    const uses = await this.uses.of(manager, modelId, latest?.step ?? 0);
    for (const { step, versionId } of checkpoints) {
      const use = uses.find(({ from, to }) => from <= step && step <= to);
      if (use) throw new CheckpointInUseError(`Step ${step} ${use.why}`);
      if (this.adapters.isHeld(versionId)) throw new CheckpointInUseError(`Step ${step} is being served`);
    }
  }

  /**
   * An artifact's version names one checkpoint, so that the latest may go: the one before it takes its place. The only one
   * may not, without which the model's name would answer nothing; unless the whole collection goes, where that is meant.
   */
  async requireDeletable(manager: EntityManager, { versionIds, isWhole }: Deletion): Promise<void> {
    const [first] = await manager.find(Checkpoint, { where: { versionId: In([...versionIds]) }, take: 1 });
    if (!first || !(await this.models.lock(manager, first.modelId))) return;
    const all = await manager.findBy(Checkpoint, { modelId: first.modelId });
    const going = all.filter(({ versionId }) => versionIds.includes(versionId));
    await this.requireFree(manager, going);
    if (isWhole || going.length < all.length || going.length === 0) return;
    throw new CheckpointInUseError(
      `Step ${first.step} is the only checkpoint: chats are answered from it, and training goes on from it`,
    );
  }
}
