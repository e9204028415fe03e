import fc from 'fast-check';
import type { Item } from './input-items.js';
import { newestThatFit, withoutOldest } from './oldest-first.js';

const message = (id: string): Item => ({ id, type: 'message', role: 'user', content: id });
const call = (id: string): Item => ({ id, type: 'function_call', call_id: `call ${id}` });
const output = (id: string, of: string): Item => ({ id, type: 'function_call_output', call_id: `call ${of}` });
const ids = (items: readonly Item[]) => items.map(({ id }) => id).join('');

describe('items of which the oldest are dropped', () => {
  it('lose answers to calls that are gone, and no other', () => {
    const items = [message('a'), call('b'), call('c'), output('d', 'b'), output('e', 'c'), message('f')];
    expect([0, 1, 2, 3, 5].map((count) => ids(withoutOldest(items, count)))).toEqual([
      'abcdef',
      'bcdef',
      'cef',
      'f',
      'f',
    ]);
    // Whatever it answers, it was sent so.
    expect(ids(withoutOldest([message('a'), output('b', 'elsewhere')], 1))).toBe('b');
  });

  it('are as many as fit, the newest, and always the last', async () => {
    const letters = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(letters, fc.nat(100), async (sizes, room) => {
        const items = sizes.map((size, i) => ({ ...message(String(i)), size }));
        const sizeOf = (some: readonly Item[]) => some.reduce((sum, item) => sum + (item['size'] as number), 0);
        const kept = await newestThatFit(items, async (some) => sizeOf(some) <= room);
        expect(kept).toEqual(items.slice(items.length - kept.length));
        expect(kept.length === 1 || sizeOf(kept) <= room).toBe(true);
        const more = items.slice(items.length - kept.length - 1);
        expect(kept.length === items.length || sizeOf(more) > room).toBe(true);
      }),
    );
  });
});
