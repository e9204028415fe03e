import { indexJsonSync } from '@heddle/json';
import { TrainedModel } from './exchanges/trained-model.js';
import { linesOf, toElements, toGroup, toLines } from './group-lines.js';

const nodes = (json: string) => indexJsonSync(Buffer.from(json)).items();
const written = (json: string): string => Buffer.concat([...toLines(nodes(json))]).toString();

/** As a file gives them: in pieces that begin and end anywhere. */
async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}
async function collect(pieces: AsyncIterable<Buffer>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece.toString());
  return all;
}

describe('lines of groups', () => {
  it('hold each group as it was sent', () => {
    expect(written('[{"a": 1.50}, {"b":"\\n"}]')).toBe('{"a": 1.50}\n{"b":"\\n"}\n');
  });

  it('hold no line break but their own', () => {
    expect(written('[\n{\r\n  "a": [\n1]\n}\n]')).toBe('{    "a": [ 1] }\n');
  });

  it('come in pieces of moderate size, however large or small the groups are', () => {
    const large = JSON.stringify([{ x: 'y'.repeat(1024 * 1024) }, ...Array.from({ length: 10_000 }, () => ({ a: 1 }))]);
    const sizes = [...toLines(nodes(large))].map(({ length }) => length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512 * 1024);
    expect(sizes.length).toBeLessThan(8);
  });

  it.each([1, 2, 3, 100])('are read back whatever pieces of %i bytes they come in', async (size) => {
    const text = '{"a":1}\n{"b":2}\n{}\n';
    expect(await collect(linesOf(inPieces(text, size)))).toEqual(['{"a":1}', '{"b":2}', '{}']);
    expect(JSON.parse(`[${(await collect(toElements(inPieces(text, size)))).join('')}]`)).toEqual([
      { a: 1 },
      { b: 2 },
      {},
    ]);
  });

  it('may be none', async () => {
    expect(written('[]')).toBe('');
    expect(await collect(toElements(inPieces('', 1)))).toEqual([]);
  });
});

describe('toGroup', () => {
  const model = new TrainedModel({
    model: { name: 'shuttle', baseModel: 'heddle/shuttle-1m' },
    project: { entity: 'weavers', name: 'loom' },
  });
  const group = (value: object) => toGroup(Buffer.from(JSON.stringify(value)), model);

  it('gives the engine what it reads, and nothing else', () => {
    const messages_and_choices = [{ role: 'user', content: 'hi' }];
    expect(
      group({
        trajectories: [{ messages_and_choices, reward: 2, metrics: { a: 1 }, metadata: {}, tools: [] }],
        exceptions: [{ type: 'Boom' }, { type: 'Boom' }],
        metadata: {},
      }),
    ).toEqual({
      trajectories: [{ messages_and_choices, tools: [], additional_histories: null, reward: 2 }],
      exceptions: 2,
    });
  });

  it('takes null for what is absent', () => {
    const sent = { messages_and_choices: [], reward: null, tools: null, additional_histories: null };
    const { trajectories, exceptions } = group({ trajectories: [sent], exceptions: null });
    expect([trajectories[0]!.reward, exceptions]).toEqual([0, 0]);
  });

  it('takes defaults for all that newer clients leave out', () => {
    const nothing = { messages_and_choices: [], tools: null, additional_histories: null, reward: 0 };
    expect(group({})).toEqual({ trajectories: [], exceptions: 0 });
    expect(group({ trajectories: null, exceptions: [{}] })).toEqual({ trajectories: [], exceptions: 1 });
    expect(group({ trajectories: [{}, { additional_histories: [{}] }] }).trajectories).toEqual([
      nothing,
      { ...nothing, additional_histories: [{ messages_and_choices: [], tools: null }] },
    ]);
  });

  it('reads recorded exchanges in place of histories that were written down', () => {
    const message = { role: 'assistant', content: 'maybe' } as const;
    const choice = { index: 0, message, logprobs: { content: [{ token: 'a', logprob: -1 }] }, token_ids: [7] };
    const recorded = {
      request: { model: 'wandb-artifact:///weavers/loom/shuttle', messages: [{ role: 'user', content: 'hi' }] },
      response: { choices: [choice], prompt_token_ids: [1, 2] },
    };
    const { trajectories } = group({ trajectories: [{ exchanges: { chat_completions: [recorded] }, reward: 1 }] });
    expect(trajectories).toEqual([
      {
        messages_and_choices: [
          { role: 'user', content: 'hi' },
          { ...choice, prompt_token_ids: [1, 2] },
        ],
        places: [
          'exchanges.chat_completions[0].request.messages[0]',
          'exchanges.chat_completions[0].response.choices[0]',
        ],
        tools: null,
        additional_histories: [],
        refused: [],
        trainedOnce: true,
        reward: 1,
      },
    ]);
  });
});
