// The integration for OpenAI around an object that looks like its client, and what its calls cost.
import * as weave from 'weave';
import { plainCall } from './plain-call.mjs';

const client = await weave.init(process.argv[2]);
await client.traceServerApi.cost.costCreateCostCreatePost({
  project_id: process.argv[2],
  costs: { 'stub-model': { prompt_token_cost: 0.001, completion_token_cost: 0.002 } },
});

const chunk = (delta, more = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'stub-model',
  choices: [{ index: 0, delta }],
  ...more,
});

const openai = weave.wrapOpenAI({
  chat: {
    completions: {
      async create({ stream }) {
        const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
        if (!stream) {
          const message = { role: 'assistant', content: 'Four.' };
          return { id: 'c', model: 'stub-model', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
        }
        return (async function* () {
          yield chunk({ role: 'assistant', content: 'Fo' });
          yield chunk({ content: 'ur.' });
          yield { ...chunk({}), choices: [], usage };
        })();
      },
    },
  },
  images: {},
  beta: {},
});

const ask = weave.op(async function ask(question) {
  const request = { model: 'stub-model', messages: [{ role: 'user', content: question }] };
  const { choices } = await openai.chat.completions.create(request);
  let streamed = '';
  for await (const { choices } of await openai.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })) {
    streamed += choices[0]?.delta?.content ?? '';
  }
  return [choices[0].message.content, streamed];
});

const answers = await ask('Two and two?');
await client.waitForBatchProcessing();
process.send({
  answers,
  calls: (await client.getCalls({}, true)).map(plainCall),
  without: (await client.getCalls()).map(plainCall),
});
