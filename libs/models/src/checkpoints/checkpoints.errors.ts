import { ApiError, NotFoundError } from '@heddle/http';

export class CheckpointNotFoundError extends NotFoundError {
  constructor(model: string, checkpoint: string) {
    super(`Model '${model}' has no checkpoint '${checkpoint}'`, 'checkpoint_not_found');
  }
}

/** Step 0, which is untrained, must not stand in for what was trained. */
export class NoCheckpointLeftError extends NotFoundError {
  constructor(model: string) {
    super(
      `Model '${model}' has no checkpoint any more: all were deleted. '${model}:step0' names the untrained adapter`,
      'checkpoint_not_found',
    );
  }
}

/** 400 and not 409, which the training clients would send again and again. */
export class CheckpointInUseError extends ApiError {
  constructor(message: string) {
    super(400, 'checkpoint_in_use', message);
  }
}

/** A version without the files of an adapter: somebody has made it himself. */
export class NotAnAdapterError extends NotFoundError {
  constructor(file: string) {
    super(`The checkpoint has no '${file}'`, 'not_an_adapter');
  }
}

/** What the store of the files gives isn't what was kept there. */
export class AdapterDamagedError extends Error {
  constructor(file: string) {
    super(`the checkpoint's '${file}' is damaged in the store of the files`);
    this.name = 'AdapterDamagedError';
  }
}
