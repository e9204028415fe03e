import { BadPlace, type Fields } from './bad-place.js';

/** Well-known formats by the keys that give them away. */
const OTHER_FORMATS: [keys: string[], what: string][] = [
  [['prompt', 'completion'], 'prompts and completions'],
  [['instruction', 'output'], 'instructions and outputs'],
  [['preferred_output'], 'preferences'],
  [['chosen', 'rejected'], 'preferences'],
  [['conversations'], 'ShareGPT conversations'],
  [['conversation'], 'conversations'],
  [['text'], 'plain texts'],
];

/** Whoever brings a file of another kind is told which it is taken for. @throws BadPlace */
export function refuseOtherFormat(given: Fields): void {
  if ('messages' in given) return;
  const [keys, what] = OTHER_FORMATS.find(([names]) => names.every((name) => name in given)) ?? [];
  if (!keys) throw new BadPlace(['messages'], 'is required');
  const msg = `is missing: files of ${what} (${keys.join(', ')}) are not read; write {"messages": [{"role", "content"}, ...]}`;
  throw new BadPlace(['messages'], msg);
}
