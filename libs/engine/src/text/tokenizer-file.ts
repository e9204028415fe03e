import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../protocol/engine.errors.js';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function badTokenizer(what: string): EngineError {
  return new EngineError('bad_model', `tokenizer.json: ${what}`);
}

/** Reads a file of a model directory; `undefined` where there is none. */
export async function readModelFile(directory: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new EngineError('bad_model', `${name} can't be read`);
  }
}

/** Reads a JSON object of a model directory; `undefined` where there is no such file. */
export async function readModelJson(directory: string, name: string): Promise<JsonObject | undefined> {
  const text = await readModelFile(directory, name);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EngineError('bad_model', `${name} is not JSON`);
  }
  if (!isJsonObject(value)) throw new EngineError('bad_model', `${name} is not a JSON object`);
  return value;
}

/**
 * Throws unless the switched-off options of a component are off. Every option that changes tokens is either implemented
 * or refused by name: a tokenizer that is nearly right trains a model on wrong tokens, and nobody notices.
 */
export function refuseOptions(component: JsonObject, place: string, names: string[]): void {
  for (const name of names) {
    const value = component[name];
    if (value !== undefined && value !== null && value !== false && value !== '' && value !== 0) {
      throw badTokenizer(`${place}.${name} = ${JSON.stringify(value)} is not supported`);
    }
  }
}
