import { textAt, withReplaced } from './nested-json.js';

describe('References within JSON texts', () => {
  const json = '{"a": {"ref": "weave:///x", "n": 12345678901234567890}, "list": ["weave:///y", 1], "a.b": 1}';

  it.each([
    [['a', 'ref'], 'weave:///x'],
    [['list', '0'], 'weave:///y'],
    [['a', 'n'], undefined],
    [['list', 'x'], undefined],
    [['none', 'deep'], undefined],
  ])('stand at %j: %s', async (path, found) => {
    expect(await textAt(json, path)).toBe(found);
  });

  it('are replaced, and all else stays as it was', async () => {
    const replaced = await withReplaced(json, ['a', 'ref'], Buffer.from('{"v": 1.0}'), 'weave:///x');
    expect(replaced).toContain('12345678901234567890');
    expect(replaced).toContain('{"v": 1.0,"_ref":"weave:///x"}');
    expect(JSON.parse(await withReplaced(json, ['list', '0'], Buffer.from('[2]'), 'r'))).toMatchObject({
      list: [[2], 1],
    });
    expect(JSON.parse(await withReplaced(json, ['list', '0'], null, 'r'))).toMatchObject({ list: [null, 1] });
  });
});
