import { EngineError } from '../../protocol/engine.errors.js';

/** Longest line that is an event: far more than a chunk of tokens takes. */
const MAX_LINE = 16 * 1024 ** 2;

/** The values of a stream of server-sent events, until `[DONE]`. @throws EngineError `bad_answer`, or what the stream throws */
export async function* eventValues(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) throw new EngineError('bad_answer', 'the inference server sent a line without end');
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const text = line.slice('data:'.length).trim();
      if (text === '[DONE]') return;
      yield parsed(text);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError('bad_answer', 'the inference server sent an event that is not JSON');
  }
}
