import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, TrainingSystem } from './training-system.js';

/** With the engine that ships. */
describe('what of an example is learnt', () => {
  let t: TrainingSystem;
  beforeAll(async () => {
    t = await TrainingSystem.start({ ENGINE_THREADS: '1' });
    await t.startWorker(null);
  });
  afterAll(() => t.close());

  const user = (content: string): Json => ({ role: 'user', content });
  const assistant = (content: string, marks: Json = {}): Json => ({ role: 'assistant', content, ...marks });

  async function fineTune(
    model: string,
    ...examples: Json[]
  ): Promise<{ tokens: number; learnt: number; loss: number }> {
    const path = `/v1/preview/sft-training-jobs/upload?model_id=${model}`;
    const body = examples.map((each) => JSON.stringify(each)).join('\n');
    const answer = await fetch(t.url + path, { method: 'POST', headers: t.ada.bearer, body });
    const { id } = (await answer.json()) as { id: string };
    expect(await t.ended(id)).toMatchObject({ state: 'FINISHED', error: null });
    const { num_tokens, num_trainable_tokens, loss } = (await t.events(id))[1]!.data as Record<string, number>;
    return { tokens: num_tokens!, learnt: num_trainable_tokens!, loss: loss! };
  }

  it('is turns of weight 1 alone, however the file says so', async () => {
    const turns = (first: Json, second: Json): Json => ({
      messages: [user('yes or no?'), assistant('maybe', first), user('again?'), assistant('no', second)],
    });
    const whole = await fineTune(await t.model(), turns({}, {}));
    const first = await fineTune(await t.model(), turns({}, { weight: 0 }));
    const second = await fineTune(await t.model(), turns({ weight: 0 }, { weight: 1 }));
    // All see the same, and what they learn adds up.
    expect([first.tokens, second.tokens]).toEqual([whole.tokens, whole.tokens]);
    expect(first.learnt + second.learnt).toBe(whole.learnt);
    const sum = first.loss * first.learnt + second.loss * second.learnt;
    expect(sum / whole.learnt).toBeCloseTo(whole.loss, 5);
    expect(first.loss).not.toBeCloseTo(second.loss, 2);
    const masked = await fineTune(await t.model(), turns({ loss_mask: 0 }, { loss_mask: 1 }));
    const listed = await fineTune(await t.model(), { ...turns({}, {}), loss_mask: [0, 0, 0, 1] });
    expect([masked, listed]).toEqual([second, second]);
  });

  it('is the same tokens, whether calls are written in the newer or the older way', async () => {
    const described = { name: 'look', parameters: { type: 'object' } };
    const called = { name: 'look', arguments: '{"at": "loom"}' };
    const newer = {
      messages: [
        user('what is there?'),
        { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: called }] },
      ],
      tools: [{ type: 'function', function: described }],
    };
    const withObject = structuredClone(newer);
    withObject.messages[1] = {
      role: 'assistant',
      tool_calls: [{ type: 'function', function: { ...called, arguments: { at: 'loom' } } }],
    };
    const older = {
      messages: [user('what is there?'), { role: 'assistant', content: null, function_call: called }],
      functions: [described],
    };
    const [first, ...others] = [
      await fineTune(await t.model(), newer),
      await fineTune(await t.model(), withObject),
      await fineTune(await t.model(), older),
    ];
    expect(others).toEqual([first, first]);
  });
});
