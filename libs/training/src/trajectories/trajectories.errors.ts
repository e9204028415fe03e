import { NotFoundError } from '@heddle/http';

export class TrajectoryLogNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Trajectories '${id}' not found`, 'trajectory_log_not_found');
  }
}

/** Their file is gone. */
export class TrajectoriesMissingError extends NotFoundError {
  constructor() {
    super('The trajectories are not stored any more', 'trajectories_missing');
  }
}
