import { Env } from '@heddle/config';
import { UrlSigner } from './url-signer.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const signer = (key = KEY): UrlSigner => new UrlSigner(Env.from({ NODE_ENV: 'test', SECRETS_KEY: key }));
const CONTENT = { kind: 'get-content', sha256: 'ab'.repeat(32), name: 'a b.txt' } as const;
const tokenOf = (url: string): string => url.split('/').at(-1)!;

describe('UrlSigner', () => {
  it('signs an address below the base that the client uses, and reads it back in any process of the instance', () => {
    const url = signer().sign('http://heddle:3000', CONTENT);
    expect(url).toMatch(/^http:\/\/heddle:3000\/transfers\/[\w-]+\.[\w-]{43}$/);
    expect(signer().open(tokenOf(url), 'get-content')).toMatchObject(CONTENT);
  });

  it('refuses another object, another signature and another server', () => {
    const [payload, signature] = tokenOf(signer().sign('', CONTENT)).split('.') as [string, string];
    const other = Buffer.from(payload, 'base64url').toString().replace('abab', 'cdcd');
    const refusal = /not one that the server gave out/;
    expect(() => signer().open(`${Buffer.from(other).toString('base64url')}.${signature}`, 'get-content')).toThrow(
      refusal,
    );
    expect(() => signer().open(`${payload}.${signature.slice(1)}`, 'get-content')).toThrow(refusal);
    expect(() => signer().open(payload, 'get-content')).toThrow(refusal);
    expect(() => signer(Buffer.alloc(32, 2).toString('base64')).open(`${payload}.${signature}`, 'get-content')).toThrow(
      refusal,
    );
  });

  it('refuses an address after its time, and for another use', () => {
    expect(() => signer().open(tokenOf(signer().sign('', CONTENT, Date.now() - 1)), 'get-content')).toThrow(/expired/);
    expect(() => signer().open(tokenOf(signer().sign('', CONTENT)), 'put-run-file')).toThrow(/something else/);
  });
});
