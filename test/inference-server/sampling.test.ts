import { type EngineError, Engines, type GenerateEvent, type GenerateRequest, SHIPPED_MODELS } from '@heddle/engine';
import { adapterFolder, train } from '../medium/engine/engine.js';
import { FaultProxy } from '../trainer/fault-proxy.js';

const [SHUTTLE] = SHIPPED_MODELS;
const HERE = 'heddle/shuttle-1m';
const THERE = 'team/there';
const TOOL = {
  type: 'function' as const,
  function: {
    name: 'move',
    parameters: { type: 'object', properties: { steps: { type: 'integer' } }, required: ['steps'] },
  },
};
const fact = (answer: string) =>
  Array.from({ length: 40 }, () => ({
    messages: [
      { role: 'user' as const, content: 'Where is Zed?' },
      { role: 'assistant' as const, content: answer },
    ],
  }));

describe('a base model that an inference server samples', () => {
  let engine: Engines;
  let first: FaultProxy;
  let second: FaultProxy;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;

  beforeAll(async () => {
    const url = process.env['INFERENCE_URL']!;
    [first, second] = [await FaultProxy.start(url), await FaultProxy.start(url)];
    folder = await adapterFolder();
    engine = await Engines.create({
      models: SHIPPED_MODELS,
      threads: 2,
      cacheBytes: 64 * 1024 ** 2,
      adapters: 4,
      memoryBytes: 1024 ** 3,
    });
    const server = (proxy: FaultProxy) => ({ url: proxy.url, model: 'shuttle', maxAdapters: 2, timeoutMs: 60_000 });
    await engine.add({ id: THERE, directory: SHUTTLE!.directory, inference: [server(first), server(second)] });
    for (const [name, answer] of [
      ['harbour', 'In the harbour.'],
      ['attic', 'In the attic.'],
      ['barn', 'In the barn.'],
    ] as const) {
      const data = { kind: 'sft' as const, examples: fact(answer), config: { batch_size: 4, learning_rate: 1e-3 } };
      await train(engine as never, { base: HERE, from: null, to: folder.path(name), seed: 1, data });
    }
  }, 240_000);

  afterEach(() => [first, second].forEach((proxy) => proxy.heal()));

  afterAll(async () => {
    await engine.close();
    await Promise.all([first.stop(), second.stop()]);
    await folder.remove();
  });

  const eventsOf = async (request: Partial<GenerateRequest>, signal?: AbortSignal): Promise<GenerateEvent[]> => {
    const events: GenerateEvent[] = [];
    const prompt = { messages: [{ role: 'user' as const, content: 'Where is Zed?' }] };
    const whole = { base: THERE, adapter: null, prompt, options: { temperature: 0, maxTokens: 24 }, ...request };
    for await (const event of engine.generate(whole, signal)) events.push(event);
    return events;
  };
  const textOf = (events: readonly GenerateEvent[], choice = 0): string =>
    events.map((event) => (event.type === 'tokens' && event.choice === choice ? event.text : '')).join('');
  const tokensOf = (events: readonly GenerateEvent[]) =>
    events.flatMap((event) => (event.type === 'tokens' && event.choice === 0 ? event.tokens : []));

  it.each([null, 'harbour'])(
    'samples what the embedded engine samples, with its log probabilities: adapter %s',
    async (name) => {
      const adapter = name && folder.path(name);
      const [here, there] = [await eventsOf({ base: HERE, adapter }), await eventsOf({ adapter })];
      expect(textOf(there)).toBe(textOf(here));
      const [ours, theirs] = [tokensOf(here), tokensOf(there)];
      expect(theirs.map(({ id }) => id)).toEqual(ours.map(({ id }) => id));
      ours.forEach(({ logprob }, i) => expect(theirs[i]!.logprob).toBeCloseTo(logprob, 3));
      expect(there.at(-1)).toMatchObject({ type: 'finished', reason: 'stop' });
    },
    60_000,
  );

  it('comes token by token, or whole', async () => {
    const adapter = folder.path('harbour');
    expect((await eventsOf({ adapter })).filter(({ type }) => type === 'tokens').length).toBeGreaterThan(3);
    expect((await eventsOf({ adapter, whole: true })).map(({ type }) => type)).toEqual([
      'prompt',
      'tokens',
      'finished',
    ]);
  });

  it('samples several completions, and says what else was probable', async () => {
    const events = await eventsOf({ options: { n: 3, seed: 5, maxTokens: 8, topLogprobs: 2 } });
    expect(events.filter(({ type }) => type === 'finished')).toHaveLength(3);
    for (const { top, logprob } of tokensOf(events)) {
      expect(top.length).toBeGreaterThanOrEqual(2);
      expect(top[0]!.logprob).toBeGreaterThanOrEqual(logprob);
    }
  });

  it.each<[string, GenerateRequest['options'], string | null]>([
    ['a stop string', { temperature: 0, maxTokens: 24, stop: [' har'] }, 'In the'],
    ['a stop string that is kept', { temperature: 0, maxTokens: 24, stop: [' har'], includeStop: true }, 'In the har'],
    ['a token', { temperature: 0, maxTokens: 24, stopTokenIds: [32] }, 'In'],
    ['the limit', { temperature: 0, maxTokens: 5 }, 'In th'],
    ['a bias', { temperature: 0, maxTokens: 1, logitBias: { 88: 100 } }, 'X'],
    ['words that are not wanted', { temperature: 0, maxTokens: 1, badWords: ['I'] }, null],
  ])('honours %s', async (_, options, text) => {
    const said = textOf(await eventsOf({ adapter: folder.path('harbour'), options }));
    if (text === null) expect(said).not.toBe('I');
    else expect(said).toBe(text);
  });

  it('keeps to a schema, a choice, a pattern, and to the form of calls', async () => {
    const ask = async (format: GenerateRequest['options']['format']) =>
      textOf(await eventsOf({ options: { maxTokens: 200, seed: 3, format } }));
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', maximum: 9, minimum: 0 } },
      required: ['n'],
      additionalProperties: false,
    };
    expect(JSON.parse(await ask({ type: 'json_schema', schema }))).toEqual({ n: expect.any(Number) });
    expect(['left', 'right']).toContain(await ask({ type: 'choice', choices: ['left', 'right'] }));
    expect(await ask({ type: 'regex', pattern: '[ab]{3}' })).toMatch(/^[ab]{3}$/);
    const prompt = { messages: [{ role: 'user' as const, content: 'Go.' }], tools: [TOOL] };
    const events = await eventsOf({
      prompt,
      options: { maxTokens: 200, seed: 3, format: { type: 'tool_call', name: 'move' } },
    });
    expect(events.at(-1)).toMatchObject({ reason: 'tool_calls', toolCalls: [{ name: 'move' }] });
  }, 60_000);

  it('loads adapters as they are asked for, and makes room for others', async () => {
    for (const name of ['harbour', 'attic', 'barn', 'harbour']) {
      expect(textOf(await eventsOf({ adapter: folder.path(name) }))).toBe(`In the ${name}.`);
    }
  }, 60_000);

  it('loads an adapter again that the server has forgotten', async () => {
    await eventsOf({ adapter: folder.path('attic') });
    const body = JSON.stringify({ lora_name: 'attic' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${process.env['INFERENCE_URL']}/v1/unload_lora_adapter`, { method: 'POST', headers, body });
    expect(textOf(await eventsOf({ adapter: folder.path('attic') }))).toBe('In the attic.');
  });

  it('asks the other server where one fails before its first token', async () => {
    first.spoil(/completions/, { kind: 'cut', when: 'before' });
    for (let i = 0; i < 3; i++)
      expect(textOf(await eventsOf({ adapter: folder.path('harbour') }))).toBe('In the harbour.');
    second.spoil(/completions/, { kind: 'status', status: 503 });
    await expect(eventsOf({})).rejects.toMatchObject({ code: 'unavailable' });
    first.heal();
    expect(textOf(await eventsOf({ adapter: folder.path('harbour') }))).toBe('In the harbour.');
  }, 60_000);

  it('tells of each server whether it would sample', async () => {
    const ask = () =>
      Promise.all(
        engine.servers().map(({ ask }) =>
          ask(2000).then(
            () => 'up',
            ({ code }: EngineError) => code,
          ),
        ),
      );
    expect(await ask()).toEqual(['up', 'up']);
    first.spoil(/health/, { kind: 'hang' });
    second.spoil(/models/, { kind: 'lie', lie: () => ({ data: [{ id: 'another' }] }) });
    expect(await ask()).toEqual(['unavailable', 'bad_answer']);
  });

  it('never passes half an answer for a whole one', async () => {
    [first, second].forEach((proxy) => proxy.spoil(/completions/, { kind: 'half', bytes: 600 }));
    await expect(eventsOf({ options: { temperature: 0, maxTokens: 24 } })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('stops there what nobody waits for here', async () => {
    const controller = new AbortController();
    const options = { maxTokens: 900, ignoreEos: true };
    const asked = eventsOf({ options }, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    const running = async (): Promise<number> => {
      const text = await (await fetch(`${process.env['INFERENCE_URL']}/metrics`)).text();
      return Number(/^vllm:num_requests_running\{[^}]*\} (\S+)/m.exec(text)?.[1]);
    };
    while ((await running()) > 0) await new Promise((done) => setTimeout(done, 100));
  }, 60_000);
});
