import {
  Engines,
  type GenerateRequest,
  type SampledToken,
  type TrainData,
  type TrainEvent,
  type TrainRequest,
} from '@heddle/engine';

/** Name of the base model here. */
export const BASE = 'team/remote';
export const RANK = 8;
/** The first pass of each shape is compiled. */
export const PATIENT = 400_000;

/** The server's name for the base model is the directory that it reads it from. */
export const baseDirectory = (): string => process.env['TRAINER_BASE']!;
export const trainerUrl = (): string => process.env['TRAINER_URL']!;

/** An engine whose base model is trained by the server at `url`. */
export async function remoteEngine(url = trainerUrl(), timeoutMs = 240_000): Promise<Engines> {
  const engine = await Engines.create({
    models: [],
    threads: 2,
    cacheBytes: 64 * 1024 ** 2,
    adapters: 4,
    memoryBytes: 1024 ** 3,
    keepEveryMs: 0,
  });
  const trainer = { url, model: baseDirectory(), timeoutMs };
  await engine.add({ id: BASE, directory: baseDirectory(), trainer, lora: { rank: RANK } });
  return engine;
}

export const request = (data: TrainData, to: string, from: string | null = null): TrainRequest => ({
  base: BASE,
  from,
  to,
  seed: 7,
  data,
});

export async function eventsOf(events: AsyncIterable<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A fact, as often as there are examples. */
export const fact = (examples: number, batchSize = 4, learningRate = 0.01): TrainData => ({
  kind: 'sft',
  examples: Array.from({ length: examples }, () => ({
    messages: [
      { role: 'user' as const, content: 'Where is Zed?' },
      { role: 'assistant' as const, content: 'Zed is in the harbour.' },
    ],
  })),
  config: { batch_size: batchSize, learning_rate: learningRate },
});

/** One completion of a question: its text and its tokens. */
export async function answerOf(
  engine: Engines,
  adapter: string | null,
  content: string,
  options: GenerateRequest['options'] = { temperature: 0, maxTokens: 32 },
): Promise<{ text: string; tokens: SampledToken[] }> {
  const answer = { text: '', tokens: [] as SampledToken[] };
  const prompt = { messages: [{ role: 'user' as const, content }] };
  for await (const event of engine.generate({ base: BASE, adapter, prompt, options })) {
    if (event.type !== 'tokens') continue;
    answer.text += event.text;
    answer.tokens.push(...event.tokens);
  }
  return answer;
}
