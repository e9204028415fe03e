import { ParameterError } from '@heddle/http';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Typed reads of a request's fields; each throws a {@link ParameterError} that names the place. Null counts as absent, since
 * clients write out every field that they know.
 */
export class RequestFields {
  private constructor(
    readonly all: Fields,
    private readonly path: string,
  ) {}

  /** @param path where the object stands, e.g. `messages[0]`; '' for the body */
  static of(value: unknown, path: string): RequestFields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return new RequestFields(value as Fields, path);
    }
    throw new ParameterError(path || null, `${path || 'The body'} must be an object`);
  }

  get(name: string): unknown {
    return Object.hasOwn(this.all, name) ? (this.all[name] ?? undefined) : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  boolean(name: string): boolean | undefined {
    return this.read(name, 'true or false', (value) => typeof value === 'boolean');
  }

  string(name: string): string | undefined {
    return this.read(name, 'a string', (value) => typeof value === 'string');
  }

  array(name: string): unknown[] | undefined {
    return this.read(name, 'an array', Array.isArray);
  }

  object(name: string): RequestFields | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : RequestFields.of(value, this.at(name));
  }

  /** The objects of an array. */
  objects(name: string): RequestFields[] | undefined {
    return this.array(name)?.map((item, i) => RequestFields.of(item, `${this.at(name)}[${i}]`));
  }

  /** One of some words. */
  oneOf<const T extends string>(name: string, words: readonly T[]): T | undefined {
    const quoted = words.map((word) => `'${word}'`).join(', ');
    return this.read(name, `one of ${quoted}`, (value) => (words as readonly unknown[]).includes(value));
  }

  required<T>(name: string, value: T | undefined): T {
    if (value !== undefined) return value;
    const param = this.at(name);
    throw new ParameterError(param, `${param} is required`, { code: 'missing_required_parameter' });
  }

  /** An error that names one of the fields. */
  refusal(name: string, what: string): ParameterError {
    const param = this.at(name);
    return new ParameterError(param, `${param} ${what}`);
  }

  private read<T>(name: string, what: string, is: (value: unknown) => boolean): T | undefined {
    const value = this.get(name);
    if (value === undefined || is(value)) return value as T | undefined;
    throw this.refusal(name, `must be ${what}`);
  }

  /** How errors call a field. */
  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}
