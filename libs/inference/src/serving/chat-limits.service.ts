import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import type { ProjectRef } from '@heddle/projects';
import { TooManyRequestsError } from '../inference.errors.js';

/** How many there are of each, and no more than may be. */
class Places {
  private readonly taken = new Map<string | number, number>();

  constructor(private readonly limit: number) {}

  isFull(key: string | number): boolean {
    return (this.taken.get(key) ?? 0) >= this.limit;
  }

  take(key: string | number): void {
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }

  free(key: string | number): void {
    const left = this.taken.get(key)! - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}

/** Requests in flight, for each user and each project: those of this process, so that N processes allow N times as many. */
@Injectable()
export class ChatLimitsService {
  private readonly users: Places;
  private readonly projects: Places;

  constructor(env: Env) {
    this.users = new Places(env.CHAT_REQUESTS_PER_USER);
    this.projects = new Places(env.CHAT_REQUESTS_PER_PROJECT);
  }

  /** Takes a place with both, or with none. @returns what frees it. @throws TooManyRequestsError */
  enter({ userId }: Pick<Principal, 'userId'>, project: Pick<ProjectRef, 'id'> | null): () => void {
    if (this.users.isFull(userId)) throw new TooManyRequestsError();
    if (project && this.projects.isFull(project.id)) throw new TooManyRequestsError();
    this.users.take(userId);
    if (project) this.projects.take(project.id);
    return () => {
      this.users.free(userId);
      if (project) this.projects.free(project.id);
    };
  }
}
