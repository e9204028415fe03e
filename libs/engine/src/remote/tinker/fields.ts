import { EngineError } from '../../protocol/engine.errors.js';
import { isObject } from '../../files/json-fields.js';

/** @throws EngineError `bad_answer` where an answer is no object */
export function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new EngineError('bad_answer', `the trainer's answer to ${what} is no object`);
}

/** @throws EngineError `bad_answer` where it lacks the text */
export function textOf(value: unknown, key: string, what: string): string {
  const text = objectOf(value, what)[key];
  if (typeof text === 'string' && text !== '') return text;
  throw new EngineError('bad_answer', `the trainer's answer to ${what} has no ${key}`);
}
