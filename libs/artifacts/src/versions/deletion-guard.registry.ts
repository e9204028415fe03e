import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What somebody is about to delete together. */
export interface Deletion {
  versionIds: readonly string[];
  /** Whether their collection goes with them, so that it is meant that nothing is left. */
  isWhole: boolean;
}

/** A feature whose own things are versions of artifacts, which its users must not lose by accident. */
export interface DeletionGuard {
  /** Throws where one of the versions is needed. */
  requireDeletable(manager: EntityManager, deletion: Deletion): Promise<void>;
}

/** Asked before users delete versions, unless they insist. */
@Injectable()
export class DeletionGuardRegistry {
  private readonly guards: DeletionGuard[] = [];

  /** For a module's `onModuleInit`. */
  include(guard: DeletionGuard): void {
    this.guards.push(guard);
  }

  async requireDeletable(manager: EntityManager, deletion: Deletion): Promise<void> {
    for (const guard of this.guards) await guard.requireDeletable(manager, deletion);
  }
}
