import type { GenerateEvent } from '@heddle/engine';
import type { AnswerEvent } from '../answer/answer-form.js';
import { mergedPrompts } from './merged-prompts.js';

const tokens = (choice: number, text: string): GenerateEvent => ({ type: 'tokens', choice, tokens: [], text });

async function* generation(...events: (GenerateEvent | Error)[]): AsyncGenerator<GenerateEvent> {
  yield { type: 'prompt', tokenIds: [1] };
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event;
  }
}

async function all(merged: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  for await (const event of merged) events.push(event);
  return events;
}

/** What there is to say of a generation that never ends by itself. */
function endless(): { events: AsyncGenerator<GenerateEvent>; hasEnded: () => boolean } {
  let ended = false;
  async function* events(): AsyncGenerator<GenerateEvent> {
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield tokens(0, 'x');
      }
    } finally {
      ended = true;
    }
  }
  return { events: events(), hasEnded: () => ended };
}

describe('mergedPrompts', () => {
  it('numbers the choices of all prompts in a row', async () => {
    const events = await all(mergedPrompts([generation(tokens(1, 'a')), generation(tokens(0, 'b'))], 2));
    expect(events.filter(({ type }) => type === 'prompt').map(({ choice }) => choice)).toEqual([0, 2]);
    expect(events).toContainEqual(tokens(1, 'a'));
    expect(events).toContainEqual(tokens(2, 'b'));
    expect(events).toHaveLength(4);
  });

  it('ends all where one fails', async () => {
    const other = endless();
    const merged = mergedPrompts([other.events, generation(new Error('broken'))], 1);
    await expect(all(merged)).rejects.toThrow('broken');
    expect(other.hasEnded()).toBe(true);
  });

  it('ends all where the reader leaves', async () => {
    const both = [endless(), endless()];
    for await (const _ of mergedPrompts(
      both.map(({ events }) => events),
      1,
    ))
      break;
    expect(both.every(({ hasEnded }) => hasEnded())).toBe(true);
  });
});
