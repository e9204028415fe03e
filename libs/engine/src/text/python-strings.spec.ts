import fc from 'fast-check';
import { JinjaTemplate } from './jinja.js';
import { strip } from './python-strings.js';

describe('strip', () => {
  it.each([
    ['both', ' \n a b\t', undefined, 'a b'],
    ['left', ' \n a b\t', null, 'a b\t'],
    ['right', ' \n a b\t', undefined, ' \n a b'],
    ['both', '\n\n a \n', '\n', ' a '],
    ['left', 'xyxa', 'yx', 'a'],
    ['both', ' a ', '', ' a '],
    // As Python has it, not as JavaScript does.
    ['both', '\u001c\u0085\u00a0\u2028a\ufeff', undefined, 'a\ufeff'],
    ['right', 'a😀😀', '😀', 'a'],
  ] as const)('at %s of %j without %j is %j', (ends, text, characters, expected) => {
    expect(strip(text, ends, characters)).toBe(expected);
  });

  it('leaves what neither begins nor ends with what goes', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n') });
    fc.assert(
      fc.property(texts, fc.string({ unit: fc.constantFrom('a', ' ') }), (text, characters) => {
        const left = strip(text, 'left', characters);
        expect(text.endsWith(left) && !characters.includes(left.charAt(0) || '-')).toBe(true);
        expect(strip(left, 'right', characters)).toBe(strip(text, 'both', characters));
      }),
    );
  });
});

describe('in templates, methods of strings', () => {
  const render = (source: string, variables: Record<string, unknown> = {}) =>
    new JinjaTemplate(source).render(variables);

  it('take the characters that go, wherever they stand', () => {
    expect(render(`{{ '\\n a \\n'.strip('\\n') + '|' + 'xax'.lstrip('x') }}`)).toBe(' a |ax');
    expect(render(`{% set a = {'b': ['xyx'.rstrip('x')]} %}{{ a.b[0] }}`)).toBe('xy');
    expect(render(`{% for c in [t] if c.strip() %}{{ c.split(',')[0].strip() }}{% endfor %}`, { t: ' a ,b' })).toBe(
      'a',
    );
    expect(
      render(`{{ t | trim }}|{{ t | trim('a') }}|{{ nothing | trim }}|{{ t.strip() | trim | upper }}`, { t: ' a' }),
    ).toBe('a| ||A');
  });

  it('are refused for what is no string', () => {
    expect(() => render('{{ n.strip() }}', { n: 5 })).toThrow('only a string can be stripped');
  });
});
