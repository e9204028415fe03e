import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Env, environmentVariable } from '@heddle/config';
import { SHIPPED_MODELS } from '@heddle/engine';
import { isMissing } from '@heddle/files';
import { parseDocument } from 'yaml';
import type { BaseModelEntry } from './base-model-entry.js';
import { InvalidBaseModelsFileError } from './base-models-file.errors.js';
import { EntryFields } from './entry-fields.js';
import { readEntry } from './entry-reader.js';

/** The entries of the file that BASE_MODELS names; none where it names none. @throws InvalidBaseModelsFileError */
export function readBaseModels({ BASE_MODELS: file }: Pick<Env, 'BASE_MODELS'>): BaseModelEntry[] {
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = isMissing(error) ? 'there is no such file' : (error as Error).message;
    throw new InvalidBaseModelsFileError([`${file} (BASE_MODELS): can't be read: ${why}`]);
  }
  return parseBaseModels(text, file, environmentVariable);
}

/** @param file its path, for faults and for what is relative to it */
export function parseBaseModels(
  text: string,
  file: string,
  variable: (name: string) => string | undefined,
): BaseModelEntry[] {
  const lines: string[] = [];
  const items = itemsOf(text, file);
  const entries = items.map((item, index) => {
    const id = nameOf(item);
    const place = `${file}: entry ${index + 1}${id === null ? '' : ` (${id})`}`;
    const report = (field: string, problem: string): void =>
      void lines.push(`${place}: ${field === '' ? '' : `${field}: `}${problem}`);
    const entry = readEntry(new EntryFields(item, report, variable), dirname(resolve(file)));
    if (SHIPPED_MODELS.some(({ id: shipped }) => shipped === entry.id))
      report('id', 'ships with Heddle and is always there');
    const earlier = items.slice(0, index).findIndex((other) => id !== null && nameOf(other) === id);
    if (earlier >= 0) report('id', `entry ${earlier + 1} has it too`);
    return entry;
  });
  if (lines.length > 0) throw new InvalidBaseModelsFileError(lines);
  return entries;
}

function itemsOf(text: string, file: string): unknown[] {
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    // The library's messages go on with a picture of the place.
    throw new InvalidBaseModelsFileError(
      document.errors.map(({ message }) => `${file}: is not YAML: ${message.split('\n')[0]!.replace(/:$/, '')}`),
    );
  }
  const items: unknown = document.toJS();
  if (!Array.isArray(items)) throw new InvalidBaseModelsFileError([`${file}: must be a list of base models`]);
  return items;
}

function nameOf(item: unknown): string | null {
  const isMap = typeof item === 'object' && item !== null && 'id' in item;
  return isMap && typeof item.id === 'string' ? item.id : null;
}
