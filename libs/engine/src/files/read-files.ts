import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../protocol/engine.errors.js';
import { isObject, JsonFields } from './json-fields.js';

const MAX_BYTES = 16 * 2 ** 20;

/** @throws EngineError `bad_model` if the file is missing or holds no object, naming it. */
export async function readJson(directory: string, name: string): Promise<JsonFields> {
  const text = await readText(directory, name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EngineError('bad_model', `${name} isn't JSON`);
  }
  if (!isObject(value)) throw new EngineError('bad_model', `${name} isn't a JSON object`);
  return new JsonFields(name, value);
}

/** Null where there is no such file. */
export const readJsonIfThere = async (directory: string, name: string): Promise<JsonFields | null> =>
  (await isThere(directory, name)) ? readJson(directory, name) : null;

export async function isThere(directory: string, name: string): Promise<boolean> {
  try {
    await access(join(directory, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw unreadable(name, error);
  }
}

/** Node's messages hold the path, so only its code is kept. */
export function unreadable(name: string, error: unknown): EngineError {
  const { code } = error as NodeJS.ErrnoException;
  return new EngineError(
    'bad_model',
    code === 'ENOENT' ? `${name} is missing` : `${name} can't be read (${code ?? 'unknown error'})`,
  );
}

async function readText(directory: string, name: string): Promise<string> {
  const file = await open(join(directory, name), 'r').catch((error: unknown) => {
    throw unreadable(name, error);
  });
  try {
    if ((await file.stat()).size > MAX_BYTES) throw new EngineError('bad_model', `${name} exceeds ${MAX_BYTES} bytes`);
    return await file.readFile('utf8');
  } catch (error) {
    throw error instanceof EngineError ? error : unreadable(name, error);
  } finally {
    await file.close();
  }
}
