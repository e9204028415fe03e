import { describe, expect, it } from '@jest/globals';
import { presentedKey } from './presented-key.js';

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });

describe('presentedKey', () => {
  it('is the password, whoever the user is', () => {
    expect(presentedKey(basic('api:key'))).toBe('key');
    expect(presentedKey(basic('someone else:key'))).toBe('key');
    expect(presentedKey(basic(':key'))).toBe('key');
  });

  it('may hold colons', () => {
    expect(presentedKey(basic('api:a:b:c'))).toBe('a:b:c');
  });

  it('may come in the header of OTLP exporters, behind an authorization that works', () => {
    expect(presentedKey({ 'wandb-api-key': ' key ' })).toBe('key');
    expect(presentedKey({ ...basic('api:first'), 'wandb-api-key': 'second' })).toBe('first');
    expect(presentedKey({ authorization: 'Bearer x', 'wandb-api-key': 'key' })).toBe('key');
  });

  it('is absent where the header is anything else', () => {
    const forms = [undefined, '', 'Basic', 'Basic !', 'Bearer a2V5', 'NotBasic YTpr', basic('no colon').authorization];
    for (const authorization of forms) expect(presentedKey({ authorization })).toBeUndefined();
  });
});
