import { createOpenAI } from '@ai-sdk/openai';
import {
  APICallError,
  embed,
  embedMany,
  generateObject,
  generateText,
  hasToolCall,
  type LanguageModel,
  type ModelMessage,
  Output,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { z } from 'zod';
import { ChatApi } from '../medium/inference/chat-api.js';

/** What the guides of the AI SDK show first, of each of its functions. The model that ships is weak: what it says is anything. */
describe("The guides of Vercel's AI SDK", () => {
  let t: ChatApi;
  let openai: ReturnType<typeof createOpenAI>;
  let ref: string;
  beforeAll(async () => {
    t = await ChatApi.start();
    ({ ref } = await t.model());
    openai = createOpenAI({ baseURL: `${t.url}/v1`, apiKey: t.ada.key });
  });
  afterAll(() => t.close());

  const limits = { temperature: 0, maxOutputTokens: 24, maxRetries: 0 };
  const KINDS = ['responses', 'chat'] as const;
  const modelOf = (kind: (typeof KINDS)[number]): LanguageModel => (kind === 'chat' ? openai.chat(ref) : openai(ref));

  describe.each(KINDS)('with %s', (kind) => {
    it('generate text of a system prompt and a prompt, and say what it took', async () => {
      const { text, finishReason, usage, response, warnings } = await generateText({
        model: modelOf(kind),
        system: 'You are a professional writer. You write simple, clear, and concise content.',
        prompt: 'Summarize the following article in 3-5 sentences: a loom has many heddles.',
        ...limits,
      });
      expect([text, finishReason]).toEqual([expect.any(String), expect.stringMatching(/^(stop|length)$/)]);
      expect(usage.inputTokens).toBeGreaterThan(0);
      expect(response).toMatchObject({ modelId: ref, messages: [{ role: 'assistant' }] });
      expect(warnings ?? []).toEqual([]);
    });

    it('go on with a conversation', async () => {
      const messages: ModelMessage[] = [{ role: 'user', content: 'Hi!' }];
      for (const question of ['Where can I buy the best Currywurst in Berlin?', 'And in Hamburg?']) {
        const { response } = await generateText({ model: modelOf(kind), messages, ...limits });
        messages.push(...response.messages, { role: 'user', content: [{ type: 'text', text: question }] });
      }
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
      expect((await generateText({ model: modelOf(kind), messages, ...limits })).text).toEqual(expect.any(String));
    });

    it('stream text, and tell at the end what was said', async () => {
      let told = '';
      const ends: string[] = [];
      const result = streamText({
        model: modelOf(kind),
        prompt: 'Invent a new holiday and describe its traditions.',
        onChunk: ({ chunk }) => void (told += chunk.type === 'text-delta' ? chunk.text : ''),
        onFinish: ({ text }) => void ends.push(text),
        ...limits,
      });
      let text = '';
      for await (const part of result.textStream) text += part;
      expect(text).not.toBe('');
      expect([told, ends, await result.text]).toEqual([text, [text], text]);
      expect((await result.totalUsage).outputTokens).toBeGreaterThan(0);
    });

    it('generate an object, a list of them and one of several words', async () => {
      const ingredient = z.object({ name: z.enum(['flour', 'eggs']), amount: z.enum(['1', '2']) });
      const recipe = z.object({
        recipe: z.object({
          name: z.enum(['Lasagna', 'Pancakes']),
          ingredients: z.array(ingredient).min(1).max(3),
          steps: z.array(z.string().max(8)).max(2),
        }),
      });
      const asked = { model: modelOf(kind), prompt: 'Generate a lasagna recipe.', ...limits, maxOutputTokens: 300 };
      const { object } = await generateObject({ ...asked, schemaName: 'Recipe', schema: recipe });
      expect(recipe.parse(object)).toEqual(object);
      const { object: genre } = await generateObject({ ...asked, output: 'enum', enum: ['action', 'comedy', 'drama'] });
      expect(['action', 'comedy', 'drama']).toContain(genre);
      const { elementStream, object: all } = streamObject({ ...asked, output: 'array', schema: ingredient.strict() });
      const elements: unknown[] = [];
      // A weak model may go on with its list for ever.
      for await (const element of elementStream) if (elements.push(element) === 2) break;
      void Promise.resolve(all).catch(() => undefined);
      for (const element of elements) expect(ingredient.parse(element)).toEqual(element);
    });

    it('stream an object as it grows', async () => {
      const schema = z.object({ notifications: z.array(z.object({ minutesAgo: z.int().min(0).max(9) })).max(3) });
      const { partialObjectStream, object } = streamObject({
        model: modelOf(kind),
        schema,
        prompt: 'Generate 3 notifications for a messages app.',
        ...limits,
        maxOutputTokens: 200,
      });
      let last: unknown;
      for await (const partial of partialObjectStream) last = partial;
      expect(schema.parse(last)).toEqual(await object);
    });

    it('call tools in several steps, and end with an answer', async () => {
      const finished: number[] = [];
      const weather = tool({
        description: 'Get the weather',
        inputSchema: z.object({ location: z.enum(['Rome', 'Oslo']) }),
        execute: async ({ location }) => ({ location, temperature: 72 }),
      });
      const convert = tool({
        description: 'To Celsius',
        inputSchema: z.object({ temperature: z.int().min(0).max(99) }),
        execute: async ({ temperature }) => ({ celsius: Math.round((temperature - 32) * (5 / 9)) }),
      });
      const result = streamText({
        model: modelOf(kind),
        prompt: 'What is the weather in Oslo in Celsius?',
        tools: { weather, convert },
        stopWhen: stepCountIs(5),
        prepareStep: ({ stepNumber }) => {
          const names = ['weather', 'convert'] as const;
          const toolName = names[stepNumber];
          return { toolChoice: toolName ? { type: 'tool', toolName } : 'none' };
        },
        onStepFinish: ({ toolCalls }) => void finished.push(toolCalls.length),
        ...limits,
        // Two tools and what they gave leave that of the context.
        maxOutputTokens: 80,
      });
      await result.consumeStream({ onError: (error) => expect(error).toBeUndefined() });
      const steps = await result.steps;
      expect(steps.map(({ toolResults }) => toolResults.map(({ toolName }) => toolName))).toEqual([
        ['weather'],
        ['convert'],
        [],
      ]);
      expect(finished).toEqual([1, 1, 0]);
      expect((await result.response).messages.map(({ role }) => role)).toEqual([
        'assistant',
        'tool',
        'assistant',
        'tool',
        'assistant',
      ]);
    });

    it('let only some tools be active, and stop where one is called', async () => {
      const answer = tool({ description: 'Answer', inputSchema: z.object({ answer: z.enum(['yes', 'no']) }) });
      const other = tool({ description: 'Other', inputSchema: z.object({}) });
      const { toolCalls, finishReason } = await generateText({
        model: modelOf(kind),
        prompt: 'Is the sky blue?',
        tools: { answer, other },
        activeTools: ['answer'],
        toolChoice: 'required',
        stopWhen: hasToolCall('answer'),
        ...limits,
        maxOutputTokens: 200,
      });
      expect([toolCalls[0]!.toolName, finishReason]).toEqual(['answer', 'tool-calls']);
    });

    it('have an output beside the text', async () => {
      const schema = z.object({ sentiment: z.enum(['positive', 'negative']) });
      const { experimental_output } = await generateText({
        model: modelOf(kind),
        prompt: 'I love it.',
        experimental_output: Output.object({ schema }),
        ...limits,
        maxOutputTokens: 100,
      });
      expect(schema.parse(experimental_output)).toEqual(experimental_output);
    });
  });

  it('embed nothing, and hear why', async () => {
    const model = openai.textEmbeddingModel(ref);
    const attempts = [
      embed({ model, value: 'sunny day at the beach', maxRetries: 0 }),
      embedMany({ model, values: ['sunny day at the beach', 'rainy afternoon in the city'], maxRetries: 0 }),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt.catch((thrown: unknown) => thrown);
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: 400, message: expect.stringMatching(/no embeddings here/) });
    }
  });
});
