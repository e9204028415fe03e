// Nested ops, a failing one, a streaming one, one that counts tokens, one with attributes and a display name.
import * as weave from 'weave';
import { plainCall } from './plain-call.mjs';

const client = await weave.init(process.argv[2]);

const retrieve = weave.op(async function retrieve(query, limit) {
  return Array.from({ length: limit }, (_, i) => ({ title: `${query} ${i}`, score: 0.25 * i }));
});

const complete = weave.op(
  async function complete(prompt) {
    return { text: `Echo: ${prompt}`, usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } };
  },
  {
    parameterNames: ['prompt'],
    callDisplayName: (prompt) => `Complete “${prompt}”`,
    summarize: ({ usage }) => ({ usage: { 'compat-model': usage } }),
  },
);

const answer = weave.op(async function answer(question) {
  const documents = await retrieve(question, 2);
  // One after the other: the client keeps one name for all calls of an op that run at once.
  const first = await complete(`${question} – ünïcödé 🪡`);
  const second = await complete('again');
  return { documents, texts: [first.text, second.text] };
});

const fail = weave.op(async function fail() {
  throw new RangeError('out of thread');
});

const stream = weave.op(
  async function* stream(count) {
    for (let i = 0; i < count; i++) yield { token: `t${i}` };
  },
  {
    streamReducer: {
      initialStateFn: () => ({ text: '', chunks: 0 }),
      reduceFn: (state, { token }) => ({ text: state.text + token, chunks: state.chunks + 1 }),
      finalizeFn: () => undefined,
    },
  },
);

const [answered, answerCall] = await answer.invoke('what is a heddle?');
const failure = await fail().catch((error) => error.message);
const tokens = [];
for await (const { token } of await stream(3)) tokens.push(token);
await weave.withAttributes({ requestId: 'r-1' }, () => retrieve('attributed', 1));
await client.waitForBatchProcessing();

await client.updateCall(answerCall.id, 'Renamed by the client');
const calls = await client.getCalls();
const roots = await client.getCalls({ trace_roots_only: true });
const renamed = await client.getCall(answerCall.id);
process.send({
  answered,
  failure,
  tokens,
  calls: calls.map(plainCall),
  roots: roots.map(({ id }) => id),
  renamed: plainCall(renamed),
});
