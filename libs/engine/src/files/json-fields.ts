import { EngineError } from '../protocol/engine.errors.js';

/** A JSON object that others wrote. Every complaint is an EngineError that names the file and the key. */
export class JsonFields {
  constructor(
    readonly file: string,
    private readonly object: Record<string, unknown>,
  ) {}

  /** What a key holds; null counts as absent, as in Python's None. */
  get(key: string): unknown {
    return Object.hasOwn(this.object, key) ? (this.object[key] ?? undefined) : undefined;
  }

  /** Whether the key is there, even with null. */
  has(key: string): boolean {
    return Object.hasOwn(this.object, key);
  }

  keys(): string[] {
    return Object.keys(this.object);
  }

  /** A whole number of at least 1. */
  size(key: string, fallback?: number): number {
    const value = this.get(key) ?? fallback;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
    throw this.refusal(key, 'a positive integer');
  }

  number(key: string, fallback?: number): number {
    const value = this.get(key) ?? fallback;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw this.refusal(key, 'a number');
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.get(key) ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.refusal(key, 'true or false');
  }

  /** A nested object; empty where the key is absent. */
  nested(key: string): JsonFields {
    const value = this.get(key) ?? {};
    if (isObject(value)) return new JsonFields(`${this.file}: ${key}`, value);
    throw this.refusal(key, 'an object');
  }

  refusal(key: string, expected: string): EngineError {
    return new EngineError('bad_model', `${this.file}: ${key} is ${shown(this.get(key))}, expected ${expected}`);
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
};
