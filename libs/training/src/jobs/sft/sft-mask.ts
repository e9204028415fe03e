import { BadPlace, type Fields, isObject, listAt } from './bad-place.js';

/**
 * `loss_mask` of a whole example: one entry for each message. @returns null where there is none
 * @throws BadPlace
 */
export function readMask(value: unknown, messages: number): boolean[] | null {
  const msg = `must be an array with one entry, 0 or 1, for each of the ${messages} messages`;
  const mask = listAt(value, ['loss_mask'], msg);
  if (mask && mask.length !== messages) throw new BadPlace(['loss_mask'], `${msg}; it has ${mask.length}`);
  return mask && mask.map((entry, i) => bit(entry, ['loss_mask', String(i)])!);
}

/**
 * Whether a message is learnt: of the assistant's all are that no mark excludes. OpenAI calls the mark of a message `weight`,
 * W&B `loss_mask`; 1 is learnt, 0 is context.
 * @param masked what the whole example's mask says of it
 * @throws BadPlace
 */
export function isTrained(message: Fields, masked: boolean | undefined, path: string[]): boolean {
  if (!isObject(message)) return false;
  const marks = {
    weight: bit(message['weight'], [...path, 'weight']),
    loss_mask: bit(message['loss_mask'], [...path, 'loss_mask']),
  };
  if (message['role'] !== 'assistant') refuseMarked(marks, masked, path);
  const own = marks.weight ?? marks.loss_mask;
  if (marks.loss_mask !== undefined && own !== marks.loss_mask) {
    throw new BadPlace([...path, 'loss_mask'], 'and weight contradict each other');
  }
  return (own ?? true) && (masked ?? true);
}

/** What the others say is never learnt, so that a mark which asks for it would be ignored. */
function refuseMarked(marks: Record<string, boolean | undefined>, masked: boolean | undefined, path: string[]): void {
  const name = Object.keys(marks).find((key) => marks[key]);
  const msg = "must be 0 or left out: only the assistant's messages are learnt";
  if (name !== undefined) throw new BadPlace([...path, name], msg);
  if (masked) throw new BadPlace(['loss_mask', path.at(-1)!], "must be 0: only the assistant's messages are learnt");
}

function bit(value: unknown, path: string[]): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 0 || value === 1 || typeof value === 'boolean') return Boolean(value);
  throw new BadPlace(path, 'must be 0 or 1');
}
