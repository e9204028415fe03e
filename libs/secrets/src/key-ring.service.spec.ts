import { randomBytes } from 'node:crypto';
import { Env } from '@heddle/config';
import { KeyRingService } from './key-ring.service.js';

const aKey = (): string => randomBytes(32).toString('base64');
const ringOf = (key: string, ...previous: string[]): KeyRingService =>
  new KeyRingService(Env.from({ SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: previous.join(',') }));

const identity = { id: 'secret-1', teamId: 'team-1', name: 'GITHUB', version: 1 };
const code = (expected: string): Error => expect.objectContaining({ code: expected });

describe('KeyRingService', () => {
  const key = aKey();
  const ring = ringOf(key);

  it.each(['s3cret', '', 'ключ 🔑\n\u0000', 'x'.repeat(8192)])('opens what it sealed (%#)', (value) => {
    expect(ring.open(ring.seal(value, identity), identity)).toBe(value);
  });

  it('never seals twice alike', () => {
    const [one, two] = [ring.seal('s3cret', identity), ring.seal('s3cret', identity)];
    expect(one.nonce).not.toEqual(two.nonce);
    expect(one.ciphertext).not.toEqual(two.ciphertext);
  });

  it.each([{ teamId: 'team-2' }, { id: 'secret-2' }, { version: 2 }])('opens it for its own row only (%j)', (other) => {
    const sealed = ring.seal('s3cret', identity);
    expect(() => ring.open(sealed, { ...identity, ...other })).toThrow(code('secret_unreadable'));
  });

  it('notices a changed byte anywhere', () => {
    const sealed = ring.seal('s3cret', identity);
    for (const [field, bytes] of [['nonce', sealed.nonce] as const, ['ciphertext', sealed.ciphertext] as const]) {
      for (let index = 0; index < bytes.length; index++) {
        const changed = Buffer.from(bytes);
        changed[index]! ^= 1;
        expect(() => ring.open({ ...sealed, [field]: changed }, identity)).toThrow(code('secret_unreadable'));
      }
    }
    expect(() => ring.open({ ...sealed, ciphertext: Buffer.alloc(3) }, identity)).toThrow(code('secret_unreadable'));
  });

  it('opens what a previous key sealed, and seals with the current one', () => {
    const sealed = ring.seal('s3cret', identity);
    const rotated = ringOf(aKey(), aKey(), key);
    expect(rotated.open(sealed, identity)).toBe('s3cret');
    expect(rotated.seal('s3cret', identity).keyId).toBe(rotated.currentKeyId);
    expect(rotated.currentKeyId).not.toBe(sealed.keyId);
  });

  it('opens nothing with other keys, and says no more than the name', () => {
    const sealed = ring.seal('s3cret', identity);
    expect(() => ringOf(aKey()).open(sealed, identity)).toThrow(/^The secret 'GITHUB' can't be decrypted/);
  });

  it('has no default key', () => {
    const keyless = new KeyRingService(Env.from({}));
    expect(() => keyless.seal('s3cret', identity)).toThrow(code('secrets_key_missing'));
    expect(() => keyless.open(ring.seal('s3cret', identity), identity)).toThrow(code('secrets_key_missing'));
  });
});
