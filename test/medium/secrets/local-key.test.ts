import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localSecretsKey } from '../../../apps/local/src/secrets-key.js';

describe('localSecretsKey', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'heddle-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('makes a key of 32 bytes once and keeps it', () => {
    const key = localSecretsKey(dataDir);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(localSecretsKey(dataDir)).toBe(key);
  });

  it('keeps it in one file that only its owner may read', () => {
    localSecretsKey(dataDir);
    expect(readdirSync(dataDir)).toEqual(['secrets.key']);
    expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('makes another one for another installation', () => {
    const first = localSecretsKey(dataDir);
    rmSync(join(dataDir, 'secrets.key'));
    expect(localSecretsKey(dataDir)).not.toBe(first);
  });
});
