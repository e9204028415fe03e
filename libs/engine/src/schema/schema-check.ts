import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import { NoLanguageError } from '../grammar/language.js';
import { patternLanguage } from '../grammar/pattern-language.js';
import { isSchema, SchemaRefusal, type Schema } from './schema-keywords.js';

/** What is wrong with an answer; null: nothing. */
export type Check = (text: string) => string | null;

/** Up to draft 7 these say what `prefixItems`, `items` and `dependentRequired` say now. */
const isOld = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.some(isOld);
  if (!isSchema(schema)) return false;
  const old = Array.isArray(schema['items']) || schema['dependencies'] !== undefined;
  return old || Object.values(schema).some(isOld);
};

/** @throws SchemaRefusal for what is no schema. */
export function schemaCheck(schema: Schema): (value: unknown) => string | null {
  const options: Options = {
    strict: false,
    // A member named `constructor` is there where the answer wrote it.
    ownProperties: true,
    logger: false,
    // `$schema` may name a draft that isn't loaded; keywords are read all the same.
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(linearPattern, { code: '' }) },
  };
  const { $schema: _, ...rest } = schema;
  try {
    const ajv = isOld(rest) ? new Ajv(options) : new Ajv2020(options);
    (formats as unknown as (ajv: object) => void)(ajv);
    const validate: ValidateFunction = ajv.compile(rest);
    return (value) => (validate(value) ? null : complaint(validate.errors?.[0]));
  } catch (error) {
    throw new SchemaRefusal('#', `it can't be checked: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

const complaint = (error: ErrorObject | undefined): string =>
  error ? `${error.instancePath || 'the answer'} ${error.message ?? error.keyword}` : 'the answer is not valid';

/**
 * A pattern that takes linear time: native ones may take for ever. @throws NoLanguageError for what can't be had so
 */
export function linearPattern(source: string): { test(text: string): boolean } {
  try {
    const language = patternLanguage(source);
    return { test: (text) => language.has(text) };
  } catch (error) {
    if (!(error instanceof NoLanguageError)) throw error;
    try {
      const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
      return { test: (text) => pattern.matcher(text).find() };
    } catch {
      throw error;
    }
  }
}
