import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import type { ProjectRef } from '@heddle/projects';
import { TooManyRequestsError } from '../inference.errors.js';
import { Places } from './places.js';

type User = Pick<Principal, 'userId'>;
type Project = Pick<ProjectRef, 'id'>;

/** Requests in flight, for each user and each project: those of this process, so that N processes allow N times as many. */
@Injectable()
export class ChatLimitsService {
  private readonly users: Places<string>;
  private readonly projects: Places<number>;
  /** Those that wait for a place, the first of them first. */
  private readonly waiting = new Set<() => void>();

  constructor(env: Env) {
    this.users = new Places(env.CHAT_REQUESTS_PER_USER);
    this.projects = new Places(env.CHAT_REQUESTS_PER_PROJECT);
  }

  /** Takes a place with both, or with none. @returns what frees it. @throws TooManyRequestsError */
  enter(user: User, project: Project | null): () => void {
    if (this.isFull(user, project)) throw new TooManyRequestsError();
    this.users.take(user.userId);
    if (project) this.projects.take(project.id);
    return () => {
      this.users.free(user.userId);
      if (project) this.projects.free(project.id);
      for (const look of this.waiting) look();
    };
  }

  /** As {@link enter}, when there is a place. @param left ends the waiting @throws what `left` was aborted with */
  async enterInTurn(user: User, project: Project | null, left: AbortSignal): Promise<() => void> {
    while (this.isFull(user, project)) await this.change(left);
    left.throwIfAborted();
    return this.enter(user, project);
  }

  private isFull({ userId }: User, project: Project | null): boolean {
    return this.users.isFull(userId) || (project !== null && this.projects.isFull(project.id));
  }

  /** Until somebody leaves. */
  private async change(left: AbortSignal): Promise<void> {
    left.throwIfAborted();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        this.waiting.delete(look);
        left.removeEventListener('abort', look);
        resolve();
      };
      this.waiting.add(look);
      left.addEventListener('abort', look);
    });
    left.throwIfAborted();
  }
}
