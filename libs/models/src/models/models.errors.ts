import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';

/** Also the answer for what exists but is another team's. */
export class ModelNotFoundError extends NotFoundError {
  constructor(model: string) {
    super(`Model '${model}' not found`, 'model_not_found');
  }
}

export class ModelExistsError extends ConflictError {
  constructor(name: string, project: string) {
    super(`There is already a model '${name}' in project '${project}'`, 'model_exists');
  }
}

/** An existing model is asked for with a rank that it has not: its adapters can't change theirs. */
export class LoraRankDiffersError extends ConflictError {
  constructor(name: string, asked: number, rank: number | null) {
    const has = rank === null ? 'the default LoRA rank of its base model' : `LoRA rank ${rank}`;
    super(`Model '${name}' has ${has}, not ${asked}: leave lora_rank out, or choose another name`, 'lora_rank_differs');
  }
}

export class LoraRankRefusedError extends ValidationError {
  constructor(rank: number, reason: string) {
    super([{ loc: ['body', 'lora_rank'], msg: reason, type: 'lora_rank', input: rank }]);
  }
}

export class UnknownBaseModelError extends ValidationError {
  constructor(id: string, known: readonly string[]) {
    const msg = `There is no base model '${id}'. There are: ${known.join(', ')}`;
    super([{ loc: ['body', 'base_model'], msg, type: 'unknown_base_model', input: id }]);
  }
}

/** Whoever asks for one base must not go on with a model on another. */
export class OtherBaseModelError extends ValidationError {
  constructor(name: string, base: string, asked: string) {
    const msg = `The model '${name}' is on the base model '${base}', not on '${asked}': ask for that one, or choose another name`;
    super([{ loc: ['body', 'base_model'], msg, type: 'other_base_model', input: asked }]);
  }
}

/** The name of a model is also that of its artifacts. */
export class ModelNameTakenError extends ValidationError {
  constructor(name: string, type: string) {
    const msg = `The project has artifacts of type '${type}' under the name '${name}': choose another one`;
    super([{ loc: ['body', 'name'], msg, type: 'artifact_name_taken', input: name }]);
  }
}
