import {
  Agent,
  type AgentOutputType,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { ChatApi } from '../medium/inference/chat-api.js';

const PLACE = z.object({ city: z.enum(['Oslo', 'Rome']) });

describe('@openai/agents, unmodified', () => {
  let t: ChatApi;
  let models: Record<string, OpenAIResponsesModel | OpenAIChatCompletionsModel>;
  beforeAll(async () => {
    t = await ChatApi.start();
    const { ref } = await t.model();
    const client = new OpenAI({ apiKey: t.ada.key, baseURL: `${t.url}/v1`, maxRetries: 0 });
    setTracingDisabled(true);
    models = {
      responses: new OpenAIResponsesModel(client, ref),
      chat: new OpenAIChatCompletionsModel(client, ref),
    };
  });
  afterAll(() => t.close());

  const agent = <T extends AgentOutputType>(kind: string, more: object = {}) =>
    new Agent<unknown, T>({
      name: 'Assistant',
      instructions: 'You are a helpful assistant.',
      model: models[kind]!,
      modelSettings: { temperature: 0, maxTokens: 12 },
      ...more,
    });

  it.each(['responses', 'chat'])('runs an agent, and streams it, with %s', async (kind) => {
    const result = await run(agent(kind), 'Write a haiku about recursion in programming.');
    expect(result.finalOutput).toEqual(expect.any(String));
    const stream = await run(agent(kind), 'Write a haiku about recursion in programming.', { stream: true });
    let text = '';
    for await (const delta of stream.toTextStream() as unknown as AsyncIterable<string>) text += delta;
    await stream.completed;
    expect(text).toBe(result.finalOutput);
  });

  it.each(['responses', 'chat'])('lets an agent use a tool, with %s', async (kind) => {
    const asked: string[] = [];
    const weather = tool({
      name: 'get_weather',
      description: 'Get the weather for a given city',
      parameters: PLACE,
      execute: ({ city }) => {
        asked.push(city);
        return `The weather in ${city} is sunny.`;
      },
    });
    // The tool is demanded once: the agent sets the choice back by itself.
    const settings = { temperature: 0, maxTokens: 200, toolChoice: 'required' };
    const result = await run(
      agent(kind, { tools: [weather], modelSettings: settings }),
      'What is the weather in Oslo?',
      {
        maxTurns: 20,
      },
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(result.finalOutput).toEqual(expect.any(String));
  });

  it.each(['responses', 'chat'])('gets what an output type says, with %s', async (kind) => {
    const settings = { temperature: 0, maxTokens: 100 };
    const result = await run(agent<typeof PLACE>(kind, { outputType: PLACE, modelSettings: settings }), 'Where?');
    expect(['Oslo', 'Rome']).toContain((result.finalOutput as z.infer<typeof PLACE>).city);
  });

  it('goes on from a response that was stored', async () => {
    const first = await run(agent('responses'), 'Hello!');
    const second = await run(agent('responses'), 'And?', { previousResponseId: first.lastResponseId! });
    expect(second.lastResponseId).not.toBe(first.lastResponseId);
    expect(second.state.usage.inputTokens).toBeGreaterThan(first.state.usage.inputTokens);
  });
});
