import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Choice,
  EmbeddedEngine,
  type SamplingOptions,
  SHIPPED_MODELS,
  type TrainEvent,
  type TrainRequest,
} from '@heddle/engine';

export const BASE = 'heddle/shuttle-1m';

export function startEngine(threads = 2): Promise<EmbeddedEngine> {
  return EmbeddedEngine.create({
    models: SHIPPED_MODELS,
    threads,
    cacheBytes: 64 * 1024 ** 2,
    adapters: 16,
    memoryBytes: 1024 ** 3,
  });
}

/** A folder for adapters, removed with all in it when the tests of a file are over. */
export async function adapterFolder(): Promise<{ path: (name: string) => string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-adapters-'));
  return { path: (name) => join(folder, name), remove: () => rm(folder, { recursive: true }) };
}

export async function train(
  engine: EmbeddedEngine,
  request: TrainRequest,
  signal?: AbortSignal,
): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  for await (const event of engine.train(request, signal)) events.push(event);
  return events;
}

/** Samples completions of one user message, as the choices that a client gets and sends back. */
export async function chat(
  engine: EmbeddedEngine,
  adapter: string | null,
  content: string,
  options: SamplingOptions,
): Promise<Choice[]> {
  const messages = [{ role: 'user' as const, content }];
  const choices = Array.from({ length: options.n ?? 1 }, (_, index) => ({
    index,
    message: { role: 'assistant' as const, content: '' },
    logprobs: { content: [] as { token: string; logprob: number }[] },
    token_ids: [] as number[],
    prompt_token_ids: [] as number[],
  }));
  for await (const event of engine.generate({ base: BASE, adapter, prompt: { messages }, options })) {
    if (event.type === 'prompt') choices.forEach((choice) => choice.prompt_token_ids.push(...event.tokenIds));
    if (event.type !== 'tokens') continue;
    const choice = choices[event.choice]!;
    choice.message.content += event.text;
    for (const { id, logprob } of event.tokens) {
      choice.token_ids.push(id);
      choice.logprobs.content.push({ token: `token_id:${id}`, logprob });
    }
  }
  return choices;
}
