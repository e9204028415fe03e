import { type AskedFormat, readFormat } from './output-format.reader.js';
import { RequestFields } from './request-fields.js';

const read = (body: object): AskedFormat | undefined => readFormat(RequestFields.of(body, ''));
const schema = { type: 'object' };

describe('readFormat', () => {
  it.each<[object, string, object]>([
    [{ response_format: { type: 'json_object' } }, 'response_format', { type: 'json_object' }],
    [{ guided_json: schema }, 'guided_json', { type: 'json_schema', schema }],
    [{ guided_json: '{"type": "object"}' }, 'guided_json', { type: 'json_schema', schema }],
    [{ guided_json_object: true }, 'guided_json_object', { type: 'json_object' }],
    [{ guided_choice: ['a', 'b'] }, 'guided_choice', { type: 'choice', choices: ['a', 'b'] }],
    [{ guided_regex: '\\d+' }, 'guided_regex', { type: 'regex', pattern: '\\d+' }],
    [{ guided_grammar: 'root ::= "a"' }, 'guided_grammar', { type: 'grammar', grammar: 'root ::= "a"' }],
    [{ structured_outputs: { json: schema } }, 'structured_outputs.json', { type: 'json_schema', schema }],
    [
      { structured_outputs: { choice: ['a'], disable_any_whitespace: true } },
      'structured_outputs.choice',
      { type: 'choice', choices: ['a'] },
    ],
    [
      { structured_outputs: { regex: 'a' }, guided_json: null },
      'structured_outputs.regex',
      { type: 'regex', pattern: 'a' },
    ],
  ])('reads %j', (body, field, format) => {
    expect(read(body)).toEqual({ field, format });
  });

  it.each([{}, { response_format: { type: 'text' } }, { structured_outputs: {} }, { guided_json_object: false }])(
    'reads nothing from %j',
    (body) => expect(read(body)).toBeUndefined(),
  );

  it.each([
    [{ guided_json: 5 }, 'guided_json', 'JSON schema'],
    [{ guided_json: '{' }, 'guided_json', 'JSON schema'],
    [{ guided_choice: [] }, 'guided_choice', '1 to 1000 texts'],
    [{ guided_choice: ['a', ''] }, 'guided_choice', 'none of them empty'],
    [{ guided_choice: 'a' }, 'guided_choice', 'array'],
    [{ structured_outputs: { regex: 5 } }, 'structured_outputs.regex', 'string'],
    [{ structured_outputs: { structural_tag: '{}' } }, 'structured_outputs.structural_tag', 'not supported'],
    [{ guided_whitespace_pattern: ' ' }, 'guided_whitespace_pattern', 'not supported'],
    [
      { guided_regex: 'a', response_format: { type: 'json_object' } },
      'guided_regex',
      'response_format and guided_regex',
    ],
    [{ structured_outputs: { json: {}, choice: ['a'] } }, 'structured_outputs.choice', "can't both"],
  ])('refuses %j', (body, param, message) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ param, message: expect.stringContaining(message) }));
  });
});
