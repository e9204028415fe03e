import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { SecretsKeyMissingError, SecretUnreadableError } from './secrets.errors.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What an encryption is bound to: a ciphertext moved to another row, or kept from before a rotation, doesn't open. */
export interface SecretIdentity {
  id: string;
  teamId: string;
  name: string;
  version: number;
}

export interface SealedValue {
  keyId: string;
  nonce: Buffer;
  /** The tag at its end. */
  ciphertext: Buffer;
}

/** The key-encryption keys from the environment: SECRETS_KEY seals, it and those of SECRETS_KEY_PREVIOUS open. */
@Injectable()
export class KeyRingService {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly current: string | undefined;

  constructor({ SECRETS_KEY, SECRETS_KEY_PREVIOUS }: Env) {
    const encoded = [SECRETS_KEY ?? [], SECRETS_KEY_PREVIOUS?.split(',') ?? []].flat();
    const keys = encoded.map((text) => Buffer.from(text, 'base64')).map((key): [string, Buffer] => [idOf(key), key]);
    this.keys = new Map(keys);
    this.current = SECRETS_KEY === undefined ? undefined : keys[0]?.[0];
  }

  /** Id of the key that seals. */
  get currentKeyId(): string {
    if (this.current === undefined) throw new SecretsKeyMissingError();
    return this.current;
  }

  seal(value: string, identity: SecretIdentity): SealedValue {
    const keyId = this.currentKeyId;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys.get(keyId)!, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(identity));
    const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { keyId, nonce, ciphertext };
  }

  /** @throws SecretUnreadableError where no key fits, or the value isn't the one that was sealed for this identity */
  open({ keyId, nonce, ciphertext }: SealedValue, identity: SecretIdentity): string {
    if (this.keys.size === 0) throw new SecretsKeyMissingError();
    const key = this.keys.get(keyId);
    if (!key) throw new SecretUnreadableError(identity.name);
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(identity));
      decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadableError(identity.name);
    }
  }
}

/** Tells keys apart and says nothing about them: a digest of 256 random bits. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('heddle-secrets-key').update(key).digest('hex').slice(0, 16);

const boundTo = ({ teamId, id, version }: SecretIdentity): Buffer => Buffer.from(`${teamId}/${id}/${version}`);
