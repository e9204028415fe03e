import { readBody } from './request-body.js';

const codeOf = (body: string | Buffer): unknown => {
  try {
    readBody(Buffer.from(body));
    return 'read';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('readBody', () => {
  it.each<[string, string | Buffer, string]>([
    ['a long prompt', `{"prompt": [${'12,'.repeat(150_000)}1]}`, 'read'],
    ['a picture', `{"messages": ["${'x'.repeat(3_000_000)}"]}`, 'read'],
    ['too many values', `{"prompt": [${'{},'.repeat(200_001)}1]}`, 'json_too_large'],
    ['brackets only', `{"prompt": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'json_too_large'],
    ['more levels than can be copied', `{"prompt": ${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid_value'],
    ['no JSON', '{"prompt"', 'json_invalid'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'json_invalid'],
  ])('of %s', (_, body, expected) => {
    expect(codeOf(body)).toBe(expected);
  });
});
