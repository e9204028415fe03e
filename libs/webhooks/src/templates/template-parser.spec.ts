import { parseTemplate } from './template-parser.js';

const problemOf = (text: string, secretName: string | null = 'SIGNING_SECRET'): unknown => {
  try {
    parseTemplate(text, secretName);
    return null;
  } catch (error) {
    const { problem, line, column } = error as { problem: string; line: number; column: number };
    return { problem, at: `${line}:${column}` };
  }
};
const referencesIn = (text: string, secretName: string | null = 'SIGNING_SECRET'): unknown[] =>
  parseTemplate(text, secretName).parts.filter((part) => typeof part !== 'string');

describe('parseTemplate', () => {
  it.each(['{}', '[]', ' {"a": [1, -2.5e+3, true, false, null, "é\\n\\u2028"]}\n', '"text"', '7', '{"a":{"b":[[]]}}'])(
    'keeps JSON without placeholders as it is: %s',
    (text) => {
      expect(parseTemplate(text, null).parts).toEqual([text]);
    },
  );

  it('finds placeholders in strings, in keys and in place of values', () => {
    const text = '{"${tag}": "by ${event_author}!", "n": ${metric_value}, "list": [${alias},${threshold}]}';
    expect(parseTemplate(text, null).parts).toEqual([
      '{"',
      { reference: { kind: 'variable', name: 'tag' }, quoted: true },
      '": "by ',
      { reference: { kind: 'variable', name: 'event_author' }, quoted: true },
      '!", "n": ',
      { reference: { kind: 'variable', name: 'metric_value' }, quoted: false },
      ', "list": [',
      { reference: { kind: 'variable', name: 'alias' }, quoted: false },
      ',',
      { reference: { kind: 'variable', name: 'threshold' }, quoted: false },
      ']}',
    ]);
  });

  it.each([
    ['${artifact_metadata.acc}', 'acc'],
    ['${artifact_metadata.a.b c-d}', 'a.b c-d'],
    ['${artifact_metadata.say \\"hi\\"}', 'say "hi"'],
    ['${artifact_metadata.caf\\u00e9}', 'café'],
  ])('reads what follows artifact_metadata as one top-level key: %s', (text, key) => {
    expect(referencesIn(`"${text}"`)).toEqual([{ reference: { kind: 'metadata', key }, quoted: true }]);
  });

  it('knows the access token, and the secret in both ways of writing', () => {
    const text = '["${ACCESS_TOKEN}", "$SIGNING_SECRET", "${SIGNING_SECRET}", $SIGNING_SECRET]';
    expect(referencesIn(text)).toEqual([
      { reference: { kind: 'access-token' }, quoted: true },
      { reference: { kind: 'secret' }, quoted: true },
      { reference: { kind: 'secret' }, quoted: true },
      { reference: { kind: 'secret' }, quoted: false },
    ]);
  });

  it.each([
    '"$5"',
    '"$$"',
    '"$"',
    '{"$schema":"a$"}',
    '"$SIGNING_SECRETS"',
    '"$alias"',
    '"\\u0024{nothing}"',
    '"$ {x}"',
  ])('leaves a $ alone that begins no placeholder: %s', (text) => {
    expect(parseTemplate(text, 'SIGNING_SECRET').parts).toEqual([text]);
  });

  it('knows no secret but the webhook’s own', () => {
    expect(problemOf('"${OTHER_SECRET}"')).toEqual({ problem: 'unknown_variable', at: '1:2' });
    expect(problemOf('"${SIGNING_SECRET}"', null)).toEqual({ problem: 'unknown_variable', at: '1:2' });
    expect(referencesIn('"$OTHER_SECRET"')).toEqual([]);
  });

  it.each([
    ['{\n  "a": "${aliass}"\n}', 'unknown_variable', '2:9'],
    ['{"a": ${Alias}}', 'unknown_variable', '1:7'],
    ['"${}"', 'unknown_variable', '1:2'],
    ['"${ alias }"', 'unknown_variable', '1:2'],
    ['"${artifact_metadata}"', 'unknown_variable', '1:2'],
    ['"${artifact_metadata.}"', 'unknown_variable', '1:2'],
    ['"${toString}"', 'unknown_variable', '1:2'],
    ['{"a": $alias}', 'unknown_variable', '1:7'],
    ['"${alias"', 'unclosed_placeholder', '1:2'],
    ['"${alias" }', 'unclosed_placeholder', '1:2'],
    ['{"a": $}', 'unclosed_placeholder', '1:7'],
  ])('says where a placeholder is wrong: %s', (text, problem, at) => {
    expect(problemOf(text)).toEqual({ problem, at });
  });

  it.each([
    ['', '1:1'],
    ['hello', '1:1'],
    ['{"a":1', '1:7'],
    ['{"a":1,}', '1:8'],
    ['{a:1}', '1:2'],
    ["{'a':1}", '1:2'],
    ['[1 2]', '1:4'],
    ['[1,]', '1:4'],
    ['{"a"}', '1:5'],
    ['{${alias}: 1}', '1:2'],
    ['{} {}', '1:4'],
    ['"text', '1:1'],
    ['"a\nb"', '1:3'],
    ['"\\x"', '1:2'],
    ['"\\u12"', '1:2'],
    ['[01]', '1:3'],
    ['[1.]', '1:3'],
    ['[+1]', '1:2'],
    ['[NaN]', '1:2'],
    ['[${alias}${tag}]', '1:10'],
    ['[1${alias}]', '1:3'],
    ['[${alias}1]', '1:10'],
    ['[${alias}"x"]', '1:10'],
    ['// a comment', '1:1'],
    ['\ufeff{}', '1:1'],
  ])('refuses what is not JSON: %j', (text, at) => {
    expect(problemOf(text)).toEqual({ problem: 'invalid_json', at });
  });

  it('refuses what is too deep or too large', () => {
    expect(problemOf('['.repeat(64) + ']'.repeat(64))).toBeNull();
    expect(problemOf('['.repeat(100_000))).toMatchObject({ problem: 'too_deep' });
    expect(problemOf(`"${'x'.repeat(256 * 1024)}"`)).toMatchObject({ problem: 'too_large' });
  });

  it.each([
    ['"a\ud83db"', '"a\ufffdb"'],
    ['"a\\ud83db"', '"a\\ufffdb"'],
    ['"\\ud83d\\n"', '"\\ufffd\\n"'],
    ['"\\ud83d\\ud83d\\udd11"', '"\\ufffd\\ud83d\\udd11"'],
    ['"\\udd11"', '"\\ufffd"'],
  ])('replaces half a surrogate pair: %j', (text, parts) => {
    expect(parseTemplate(text, null).parts.join('')).toBe(parts);
  });
});
