import { parseEntryName } from './entry-name.js';

describe('parseEntryName', () => {
  it('knows what an archive has', () => {
    const sha256 = 'ab'.repeat(32);
    expect(parseEntryName('manifest.json')).toEqual({ kind: 'manifest' });
    expect(parseEntryName('rows/run_lines/12')).toEqual({ kind: 'rows', table: 'run_lines', part: 12 });
    expect(parseEntryName(`files/${sha256}`)).toEqual({ kind: 'file', sha256 });
    expect(parseEntryName('end.json')).toEqual({ kind: 'end' });
  });

  it.each([
    [''],
    ['./manifest.json'],
    ['/manifest.json'],
    ['../manifest.json'],
    ['rows/runs'],
    ['rows/runs/01'],
    ['rows/../0'],
    ['rows/Runs/0'],
    ['files/../../x'],
    [`files/${'AB'.repeat(32)}`],
    [`files/${'ab'.repeat(32)}\n`],
  ])('knows nothing else: %j', (name) => expect(parseEntryName(name)).toBeNull());
});
