import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import { EngineError } from '../../protocol/engine.errors.js';
import { checkPeftAdapter } from './peft-check.js';

const CONFIG = 'adapter_config.json';
const TENSORS = 'adapter_model.safetensors';
/** What one archive may hold: far more than any adapter. */
const MAX_BYTES = 16 * 1024 ** 3;

/**
 * Unpacks the adapter of a `tar.gz` into a directory: a PEFT adapter that is whole and holds nothing but finite numbers.
 * @throws EngineError `bad_answer` for anything else, `unavailable` where it breaks off
 */
export async function unpackAdapter(response: Response, directory: string, baseModel: string): Promise<void> {
  if (!response.body) throw new EngineError('bad_answer', "the trainer's archive is empty");
  const extract = tar.extract();
  let bytes = 0;
  const unpacked = (async () => {
    for await (const entry of extract) {
      const name = basename(entry.header.name);
      if (entry.header.type !== 'file' || (name !== CONFIG && name !== TENSORS)) {
        entry.resume();
        continue;
      }
      bytes += entry.header.size ?? 0;
      if (bytes > MAX_BYTES) throw new EngineError('bad_answer', "the trainer's archive is too big");
      await pipeline(entry, createWriteStream(join(directory, name), { flags: 'wx' }));
    }
  })();
  const results = await Promise.allSettled([
    unpacked,
    pipeline(Readable.fromWeb(response.body as never), createGunzip(), extract),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw archiveProblem(failed.reason);
  await completeConfig(directory, checkPeftAdapter(directory), baseModel);
}

/** Servers leave out which modules are adapted, and name the base model by a path of theirs. */
async function completeConfig(directory: string, modules: readonly string[], baseModel: string): Promise<void> {
  const path = join(directory, CONFIG);
  const fields = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  const completed = { ...fields, target_modules: modules, base_model_name_or_path: baseModel };
  await rm(path);
  await writeFile(path, `${JSON.stringify(completed, null, 2)}\n`, { flag: 'wx', flush: true });
}

function archiveProblem(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // Of zlib and tar: what came is no archive. A full disk is ours.
  if (code?.startsWith('Z_') || /tar|header/i.test(message)) {
    return new EngineError('bad_answer', `the trainer's archive can't be read (${code ?? message})`);
  }
  return new EngineError('unavailable', `the trainer's archive could not be fetched (${code ?? message})`);
}
