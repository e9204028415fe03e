import { validateSync } from 'class-validator';
import { IsName } from './name.decorator.js';

class Named {
  @IsName()
  name: unknown;
}

const problemsOf = (name: unknown): string[] =>
  validateSync(Object.assign(new Named(), { name })).flatMap(({ constraints }) => Object.values(constraints ?? {}));

describe('a name', () => {
  it.each(['a', '7', 'ada', 'Ada.Lovelace', 'team_1-b', 'x'.repeat(64)])('may be %s', (name) => {
    expect(problemsOf(name)).toEqual([]);
  });

  it.each(['', '.hidden', '-x', '_x', 'a/b', 'a b', 'ä', 'a\n', 'x'.repeat(65), 7, null, undefined, ['a']])(
    'may not be %j',
    (name) => {
      expect(problemsOf(name)).toEqual([
        'name must be 1 to 64 letters, digits, underscores, dots and dashes, the first a letter or a digit',
      ]);
    },
  );
});
