import { startApi, type TestApi } from '../../support/api.js';
import { SdkClient } from './sdk-client.js';

describe('the history of a run', () => {
  let api: TestApi;
  let ada: SdkClient;
  beforeAll(async () => {
    api = await startApi();
    ada = new SdkClient(api, await api.given.member());
  });
  afterAll(() => api.close());

  it.each(['plain', 'layer.weight', 'a/b.c', 'ž', '<a & b>', 'says "x"'])(
    'has the values of the key %s, by itself and nested',
    async (key) => {
      const run = `keys-${Buffer.from(key).toString('hex')}`;
      await ada.upsert({ name: run });
      const nested = key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), 2) as object;
      await ada.history(run, 0, { [key]: 1, _step: 0 }, { ...nested, _step: 1 }, { other: 3, _step: 2 });
      const query = `query ($entity: String, $run: String!, $specs: [JSONString!]!) { project(name: "loom", entityName: $entity) {
        run(name: $run) { sampledHistory(specs: $specs) } } }`;
      const specs = [JSON.stringify({ keys: ['_step', key], samples: 100 })];
      const answer = await ada.get(query, { entity: ada.user.entity, run, specs });
      expect(answer).toEqual({
        project: {
          run: {
            sampledHistory: [
              [
                { _step: 0, [key]: 1 },
                { _step: 1, [key]: 2 },
              ],
            ],
          },
        },
      });
    },
  );

  describe('on the console', () => {
    const say = (run: string, offset: number, ...content: string[]) =>
      ada.stream(run, { files: { 'output.log': { offset, content } } });
    const heard = async (run: string): Promise<string[]> => {
      const { logLines, logLineCount } = await ada.run<{
        logLines: { edges: { node: { line: string; number: number } }[] };
        logLineCount: number;
      }>(run, 'logLineCount logLines(first: 100) { edges { node { number line } } }');
      const lines = logLines.edges.map(({ node }) => node);
      expect(lines.map(({ number }) => number)).toEqual(lines.map((_line, i) => i));
      expect(logLineCount).toBeLessThanOrEqual(lines.length);
      return lines.map(({ line }) => line);
    };
    const at = (second: number, text: string, stream = ''): string =>
      `${stream}2026-01-01T00:00:0${second}.000001 ${text}`;

    it('has each line once, as it was last said', async () => {
      await ada.upsert({ name: 'grows' });
      await say('grows', 0, at(1, 'begun'), at(2, ' 10%'));
      await say('grows', 1, at(2, '100%'), at(3, '[note] done'));
      await say('grows', 2, at(3, '[note] done'), at(4, 'failed', 'ERROR '));
      expect(await heard('grows')).toEqual(['begun', '100%', '[note] done', 'failed']);
    });

    it('has the lines of writers who number them alike, in the order of time', async () => {
      await ada.upsert({ name: 'alike' });
      await say('alike', 0, at(1, 'first'), at(4, '[note] first again'));
      for (let again = 0; again < 2; again++) {
        await say('alike', 0, at(2, 'second'), at(3, ' 10%'));
        await say('alike', 1, at(3, '100%'), at(7, 'the end'));
      }
      await say('alike', 0, at(5, 'third'), at(6, '[note] third again'), at(8, 'late'));
      await say('alike', 1, at(4, '[note] first again'));
      expect(await heard('alike')).toEqual([
        ...['first', 'second', '100%', '[note] first again'],
        ...['third', '[note] third again', 'the end', 'late'],
      ]);
    });
  });
});
