import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimInstance } from '../../../apps/local/src/instance.js';

const HOUR_MS = 3_600_000;
/** Nothing listens there. */
const URL = 'http://127.0.0.1:1';

describe('a data directory', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'heddle-instance-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const left = (holder: object): void => writeFileSync(join(dataDir, 'instance.json'), JSON.stringify(holder));

  it('has one server at a time; the second is told where the first one is', async () => {
    const release = await claimInstance(dataDir, URL);
    await expect(claimInstance(dataDir, 'http://127.0.0.1:2')).rejects.toThrow(
      `already, at ${URL} (process ${process.pid})`,
    );
    release();
    expect(existsSync(join(dataDir, 'instance.json'))).toBe(false);
    (await claimInstance(dataDir, URL))();
  });

  it('is taken over from a process that was killed', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.once('exit', resolve));
    left({ pid: child.pid, url: URL, startedAt: Date.now() });
    (await claimInstance(dataDir, URL))();
  });

  it('is taken over where another program has the number of the one that was killed', async () => {
    left({ pid: process.pid, url: URL, startedAt: Date.now() - HOUR_MS });
    (await claimInstance(dataDir, URL))();
  });

  it('is taken over where the mark is half written', async () => {
    writeFileSync(join(dataDir, 'instance.json'), '{"pid": 1');
    (await claimInstance(dataDir, URL))();
  });
});
