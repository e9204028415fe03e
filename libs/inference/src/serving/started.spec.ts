import type { GenerateEvent } from '@heddle/engine';
import { started } from './started.js';

const prompt: GenerateEvent = { type: 'prompt', tokenIds: [1] };
const token: GenerateEvent = { type: 'tokens', choice: 0, tokens: [], text: 'a' };

async function collect(events: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const all: GenerateEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('started', () => {
  let closed: boolean;
  beforeEach(() => {
    closed = false;
  });
  async function* generation(...events: (GenerateEvent | Error)[]): AsyncGenerator<GenerateEvent> {
    try {
      for (const event of events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    } finally {
      closed = true;
    }
  }

  it('gives all events, those it waited for too', async () => {
    expect(await collect(await started(generation(prompt, token, token)))).toEqual([prompt, token, token]);
    expect(await collect(await started(generation(prompt)))).toEqual([prompt]);
  });

  it('fails by itself where the generation fails before its first token', async () => {
    await expect(started(generation(prompt, new Error('out of memory')))).rejects.toThrow('out of memory');
  });

  it('leaves a later failure to the reader', async () => {
    const events = await started(generation(prompt, token, new Error('late')));
    await expect(collect(events)).rejects.toThrow('late');
  });

  it('ends the generation when the reader leaves, even at once', async () => {
    for await (const event of await started(generation(prompt, token, token))) {
      expect(event).toBe(prompt);
      break;
    }
    expect(closed).toBe(true);
  });
});
