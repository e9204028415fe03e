import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';

/** Also the answer for what exists but is another team's. */
export class TrainingJobNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Training job '${id}' not found`, 'training_job_not_found');
  }
}

export class TrajectoriesNotKeptError extends NotFoundError {
  constructor(id: string) {
    super(`Training job '${id}' is a fine-tuning job: it has no trajectories`, 'no_trajectories');
  }
}

export class DataNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`The data would be kept as '${name}', and the project has artifacts of another type there`, 'name_taken');
  }
}

/** The name of a request stands for one job: with other settings it must be another one. */
export class RequestKeyReusedError extends ValidationError {
  constructor(key: string, jobId: string) {
    const msg = `A request of this name has made job '${jobId}' with other settings: give each job a name of its own`;
    super([{ loc: ['header', 'idempotency-key'], msg, type: 'idempotency_key_reused', input: key }]);
  }
}

/** A job fails for a reason that its user can read. */
export class JobFailedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A line of the training data is no example, or the data is gone. */
export class TrainingDataError extends JobFailedError {}

/** The job is another worker's, or gone with its model: nothing of it may be written any more. */
export class JobLostError extends Error {
  constructor(id: string) {
    super(`training job ${id} is not this worker's any more`);
    this.name = 'JobLostError';
  }
}
