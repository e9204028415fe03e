import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstNonFinite } from '../../files/model-tensors.js';
import { SafetensorsFile } from '../../files/safetensors-file.js';
import { EngineError } from '../../protocol/engine.errors.js';

const NAME = /^base_model\.model\..+\.([A-Za-z_0-9]+)\.lora_([AB])(?:\.default)?\.weight$/;

/**
 * Looks whether a directory is a LoRA adapter that can be served, of whatever base model.
 * @returns the modules that it adapts
 * @throws EngineError `bad_answer`, since a server made it
 */
export function checkPeftAdapter(directory: string): string[] {
  try {
    const rank = rankOf(directory);
    const file = SafetensorsFile.open(join(directory, 'adapter_model.safetensors'));
    try {
      return modulesOf(file, rank);
    } finally {
      file.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError('bad_answer', `the trainer's adapter can't be used: ${why}`);
  }
}

function rankOf(directory: string): number {
  const config = JSON.parse(readFileSync(join(directory, 'adapter_config.json'), 'utf8')) as Record<string, unknown>;
  const { r, lora_alpha: alpha, peft_type: type } = config;
  if (type !== 'LORA') throw new TypeError('adapter_config.json: peft_type is not "LORA"');
  if (typeof r !== 'number' || !Number.isInteger(r) || r < 1) throw new TypeError('adapter_config.json: r is no rank');
  if (typeof alpha !== 'number' || !(alpha > 0)) throw new TypeError('adapter_config.json: lora_alpha is no number');
  return r;
}

function modulesOf(file: SafetensorsFile, rank: number): string[] {
  const modules = new Set<string>();
  const sides = new Map<string, string>();
  for (const name of file.names()) {
    const [, module, side] = NAME.exec(name) ?? [];
    if (!module || !side) throw new TypeError(`${name}: expected A or B of a module`);
    const [rows = 0, columns = 0] = file.shape(name);
    if ((side === 'A' ? rows : columns) !== rank) throw new TypeError(`${name}: its rank is not ${rank}`);
    if (firstNonFinite(file.read(name)) >= 0) throw new TypeError(`${name}: not all of its numbers are finite`);
    const stem = name.slice(0, name.indexOf('.lora_'));
    sides.set(stem, (sides.get(stem) ?? '') + side);
    modules.add(module);
  }
  if (sides.size === 0) throw new TypeError('no LoRA tensors');
  for (const [stem, found] of sides) if (found.length !== 2) throw new TypeError(`${stem}: A or B is missing`);
  return [...modules].sort();
}
