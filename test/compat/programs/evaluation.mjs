// A dataset published and read back, and an evaluation over it.
import * as weave from 'weave';
import { plainCall } from './plain-call.mjs';

const client = await weave.init(process.argv[2]);

const rows = [
  { question: 'one', expected: 'ONE', weight: 1.5 },
  { question: 'two', expected: 'TWO', weight: 2 },
  { question: 'two', expected: 'TWO', weight: 2 },
  { question: 'drei', expected: 'THREE', weight: 3, tags: ['ü', null] },
];
const dataset = new weave.Dataset({ name: 'shouting', rows });
const ref = await dataset.save();
const readBack = await client.get(ref);
const readRows = [];
for await (const row of readBack) readRows.push({ ...row, __savedRef: undefined });
const again = await new weave.Dataset({ name: 'shouting', rows }).save();
const prompt = new weave.StringPrompt({ name: 'greeting', content: 'Hello {name}' });
const promptRef = await client.publish(prompt);

const exact = weave.op(function exact({ modelOutput, datasetRow }) {
  return { correct: modelOutput === datasetRow.expected };
});
const shout = weave.op(async function shout({ datasetRow }) {
  return datasetRow.question.toUpperCase();
});
const evaluation = new weave.Evaluation({ name: 'shouting-eval', dataset, scorers: [exact] });
const summary = await evaluation.evaluate({ model: shout });
await client.waitForBatchProcessing();

process.send({
  uri: ref.uri(),
  againUri: again.uri(),
  rows: readRows,
  prompt: (await client.get(promptRef)).content,
  summary,
  calls: (await client.getCalls()).map(plainCall),
});
