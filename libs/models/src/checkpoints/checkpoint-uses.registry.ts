import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What another feature needs checkpoints for, now or soon. */
export interface CheckpointUse {
  /** The steps that it needs, or may come to need. */
  from: number;
  to: number;
  /** Goes on from "Step N": `is being trained from by job ...`. */
  why: string;
}

export interface CheckpointUser {
  /** @param latest step of the model's latest checkpoint; the model is locked */
  usesOf(manager: EntityManager, modelId: string, latest: number): Promise<CheckpointUse[]>;
}

/** Who else needs a model's checkpoints is for other features to say. */
@Injectable()
export class CheckpointUsesRegistry {
  private readonly users: CheckpointUser[] = [];

  /** For a module's `onModuleInit`. */
  include(user: CheckpointUser): void {
    this.users.push(user);
  }

  async of(manager: EntityManager, modelId: string, latest: number): Promise<CheckpointUse[]> {
    const uses = await Promise.all(this.users.map((user) => user.usesOf(manager, modelId, latest)));
    return uses.flat();
  }
}
