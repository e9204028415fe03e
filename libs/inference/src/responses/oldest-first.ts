import type { Item } from './input-items.js';

/**
 * What is left of items when the oldest `count` are dropped: an answer to a call that is gone goes with it, since nobody could
 * read it any more.
 */
export function withoutOldest(items: readonly Item[], count: number): Item[] {
  const gone = new Set(
    items.slice(0, count).flatMap((item) => (item.type === 'function_call' ? [item['call_id']] : [])),
  );
  return items.slice(count).filter((item) => item.type !== 'function_call_output' || !gone.has(item['call_id']));
}

/**
 * As many of the newest items as fit, and always the last one.
 * @param fits asked only as often as halving takes
 */
export async function newestThatFit(
  items: readonly Item[],
  fits: (items: readonly Item[]) => Promise<boolean>,
): Promise<Item[]> {
  let [dropped, most] = [0, items.length - 1];
  while (dropped < most) {
    const middle = Math.floor((dropped + most) / 2);
    if (await fits(withoutOldest(items, middle))) most = middle;
    else dropped = middle + 1;
  }
  return withoutOldest(items, dropped);
}
