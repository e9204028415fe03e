import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateObject, generateText, type LanguageModel, stepCountIs, streamObject, streamText, tool } from 'ai';
import { z } from 'zod';
import { ChatApi } from '../medium/inference/chat-api.js';

const PLACE = z.object({ city: z.enum(['Oslo', 'Rome']) });

describe("Vercel's AI SDK, unmodified", () => {
  let t: ChatApi;
  const models: Record<string, LanguageModel> = {};
  beforeAll(async () => {
    t = await ChatApi.start();
    const { ref } = await t.model();
    const settings = { baseURL: `${t.url}/v1`, apiKey: t.ada.key };
    const openai = createOpenAI(settings);
    const compatible = createOpenAICompatible({ ...settings, name: 'heddle', supportsStructuredOutputs: true });
    Object.assign(models, {
      responses: openai(ref),
      chat: openai.chat(ref),
      compatible: compatible(ref),
      completion: openai.completion(ref),
      'compatible completion': compatible.completionModel(ref),
    });
  });
  afterAll(() => t.close());

  const limits = { temperature: 0, maxOutputTokens: 12, maxRetries: 0 };
  const weather = (asked: string[]) =>
    tool({
      description: 'Get the weather in a location',
      inputSchema: PLACE,
      execute: ({ city }) => {
        asked.push(city);
        return { city, temperature: -3 };
      },
    });

  it.each(['responses', 'chat', 'compatible', 'completion', 'compatible completion'])(
    'generates text, and streams the same, with %s',
    async (kind) => {
      const model = models[kind]!;
      const whole = await generateText({ model, prompt: 'Hello!', ...limits });
      expect(whole.text).not.toBe('');
      expect(whole.usage.totalTokens).toBe(whole.usage.inputTokens! + whole.usage.outputTokens!);
      expect(['stop', 'length']).toContain(whole.finishReason);
      const streamed = streamText({ model, prompt: 'Hello!', ...limits });
      let text = '';
      for await (const delta of streamed.textStream) text += delta;
      expect(text).toBe(whole.text);
      expect(await streamed.finishReason).toBe(whole.finishReason);
    },
  );

  it.each(['responses', 'chat', 'compatible'])(
    'generates objects of a schema, and streams them, with %s',
    async (kind) => {
      const asked = { model: models[kind]!, schema: PLACE, prompt: 'Where?', ...limits, maxOutputTokens: 100 };
      const { object } = await generateObject(asked);
      expect(PLACE.parse(object)).toEqual(object);
      const streamed = streamObject(asked);
      let last: unknown;
      for await (const partial of streamed.partialObjectStream) last = partial;
      expect(last).toEqual(object);
      expect(await streamed.object).toEqual(object);
    },
  );

  it.each(['responses', 'chat', 'compatible'])('runs a conversation with tools by itself, with %s', async (kind) => {
    const asked: string[] = [];
    const { steps } = await generateText({
      model: models[kind]!,
      tools: { weather: weather(asked) },
      prompt: 'What is the weather in Oslo?',
      ...limits,
      maxOutputTokens: 200,
      stopWhen: stepCountIs(2),
      prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'none' }),
    });
    expect(steps).toHaveLength(2);
    expect(steps[0]!.finishReason).toBe('tool-calls');
    expect(asked).toEqual([(steps[0]!.toolCalls[0]!.input as { city: string }).city]);
    expect(steps[1]!.text).toEqual(expect.any(String));
  });

  it.each(['responses', 'chat', 'compatible'])('streams a call and what it gave, with %s', async (kind) => {
    const asked: string[] = [];
    const { fullStream } = streamText({
      model: models[kind]!,
      tools: { weather: weather(asked) },
      toolChoice: { type: 'tool', toolName: 'weather' },
      prompt: 'What is the weather in Oslo?',
      ...limits,
      maxOutputTokens: 200,
    });
    const types: string[] = [];
    for await (const { type } of fullStream) types.push(type);
    for (const type of ['tool-input-start', 'tool-call', 'tool-result', 'finish']) expect(types).toContain(type);
    expect(types).not.toContain('error');
    expect(asked).toHaveLength(1);
  });
});
