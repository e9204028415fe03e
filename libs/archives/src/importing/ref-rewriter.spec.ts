import { hexOf, refRewriter } from './ref-rewriter.js';
import { rewrittenLines } from './rewritten-lines.js';

const OLD = '0b8f6a4e-58a5-4c7c-9d0c-1d6a3a1b2c3d';
const FRESH = '11111111-2222-8333-a444-555555555555';
const move = { from: 'weavers/loom', to: 'spinners/wheel', versions: new Map([[OLD, FRESH]]) };
const rewrite = refRewriter(move);

describe('refRewriter', () => {
  it.each([
    ['weave:///weavers/loom/call/x', 'weave:///spinners/wheel/call/x'],
    [
      '{"a":"{\\"b\\":\\"wandb-artifact:///weavers/loom/data:v0\\"}"}',
      '{"a":"{\\"b\\":\\"wandb-artifact:///spinners/wheel/data:v0\\"}"}',
    ],
    ['wandb-artifact:\\/\\/\\/weavers\\/loom\\/data', 'wandb-artifact:\\/\\/\\/spinners/wheel\\/data'],
    [`wandb-artifact://${hexOf(OLD)}/a.txt`, `wandb-artifact://${hexOf(FRESH)}/a.txt`],
    [`{"birthArtifactID": "${OLD}"}`, `{"birthArtifactID": "${FRESH}"}`],
  ])('of %s makes %s', (from, to) => expect(rewrite(from)).toBe(to));

  it.each([
    ['weave:///weavers/loom-2/call/x'],
    ['weave:///others/loom/call/x'],
    ['they said weavers/loom/data'],
    [`wandb-artifact://${'ab'.repeat(24)}/a.txt`],
    [`{"id": "${OLD}"}`],
  ])('leaves %s as it is', (text) => expect(rewrite(text)).toBe(text));

  it('finds names in each form in which they are written', () => {
    const odd = refRewriter({ ...move, from: 'weavers/löom 1' });
    const bytes = (text: string) => Buffer.from(text).toString('latin1');
    expect(odd(bytes('weave:///weavers/löom 1/call/x'))).toBe('weave:///spinners/wheel/call/x');
    expect(odd('weave:///weavers/l%C3%B6om%201/call/x')).toBe('weave:///spinners/wheel/call/x');
  });
});

describe('rewrittenLines', () => {
  const text = async (...chunks: string[]): Promise<string> => {
    const source = (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })();
    const found: Buffer[] = [];
    for await (const lines of rewrittenLines(source, rewrite)) found.push(lines);
    return Buffer.concat(found).toString();
  };

  it('sees references across chunks, and keeps every other byte', async () => {
    expect(await text('ünï\n"weave:///weav', 'ers/lo', 'om/x"\nrest')).toBe('ünï\n"weave:///spinners/wheel/x"\nrest');
    expect(await text()).toBe('');
  });
});
