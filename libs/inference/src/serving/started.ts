import type { GenerateEvent } from '@heddle/engine';

/** The same events, once the first token is there (or nothing more comes): what throws before throws here. */
export async function started(events: AsyncGenerator<GenerateEvent>): Promise<AsyncGenerator<GenerateEvent>> {
  const first: GenerateEvent[] = [];
  do {
    const next = await events.next();
    if (next.done) break;
    first.push(next.value);
  } while (first.at(-1)?.type === 'prompt');
  return resumed(first, events);
}

async function* resumed(
  first: readonly GenerateEvent[],
  rest: AsyncGenerator<GenerateEvent>,
): AsyncGenerator<GenerateEvent> {
  try {
    yield* first;
    yield* rest;
  } finally {
    // Also where the reader left during the first ones.
    await rest.return(undefined);
  }
}
