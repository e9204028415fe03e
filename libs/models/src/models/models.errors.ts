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

export class UnknownBaseModelError extends ValidationError {
  constructor(id: string, known: readonly string[]) {
    const msg = `There is no base model '${id}'. There are: ${known.join(', ')}`;
    super([{ loc: ['body', 'base_model'], msg, type: 'unknown_base_model', input: id }]);
  }
}

/** The name of a model is also that of its artifacts. */
export class ModelNameTakenError extends ValidationError {
  constructor(name: string, type: string) {
    const msg = `The project has artifacts of type '${type}' under the name '${name}': choose another one`;
    super([{ loc: ['body', 'name'], msg, type: 'artifact_name_taken', input: name }]);
  }
}
