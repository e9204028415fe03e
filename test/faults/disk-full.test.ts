import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Product } from '../support/product.js';

const KEY = `hd_${'k'.repeat(43)}`;
const MIB = 1024 * 1024;
const DISK_MB = 400;
const RESERVE_MB = 30;
const FULL = process.env['CI_FULL'] === '1';
const ROUNDS = FULL ? 3 : 1;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

describe('a disk that fills up', () => {
  let disk: string;
  let filler: string;
  let product: Product;
  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'heddle-disk-'));
    filler = join(disk, 'filler');
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', disk]);
    product = await Product.create(undefined, disk);
    await product.start({ ADMIN_API_KEY: KEY, DISK_RESERVE_MB: String(RESERVE_MB) });
  }, 300_000);
  afterAll(async () => {
    free();
    await product?.remove();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  /** Until so much is left, or nothing. */
  function fill(leftMb: number): void {
    const file = openSync(filler, 'a');
    try {
      for (
        let { bavail, bsize } = statfsSync(disk);
        bavail * bsize > leftMb * MIB;
        { bavail, bsize } = statfsSync(disk)
      )
        writeSync(file, Buffer.alloc(Math.min(MIB, bavail * bsize - leftMb * MIB)));
    } finally {
      closeSync(file);
    }
  }
  const free = (): void => rmSync(filler, { force: true });

  const ready = async (): Promise<number> => (await fetch(`${product.url}/health/ready`)).status;

  /** 1 MB of calls. @returns the status */
  async function log(project: string, ids: string[]): Promise<Response> {
    const now = new Date().toISOString();
    const calls = ids.map((id) => ({
      ...{ project_id: project, id, trace_id: id, op_name: 'op', started_at: now, attributes: {} },
      // Nothing that a database could compress.
      inputs: { text: Array.from({ length: 2500 }, () => randomUUID()).join('') },
    }));
    const body = JSON.stringify({ batch: calls.map((start) => ({ mode: 'start', req: { start } })) });
    return fetch(`${product.url}/call/upsert_batch`, { method: 'POST', headers, body });
  }

  async function stored(project: string): Promise<string[]> {
    const body = JSON.stringify({ project_id: project, columns: ['id'] });
    const response = await fetch(`${product.url}/calls/stream_query`, { method: 'POST', headers, body });
    const lines = (await response.text()).split('\n').filter(Boolean);
    return lines.map((line) => (JSON.parse(line) as { id: string }).id);
  }

  it('is told by readiness, refuses with 503, loses nothing that was accepted, and is well again with room', async () => {
    const project = `admin/${randomUUID()}`;
    const accepted: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      fill(RESERVE_MB / 2);
      await eventually(ready, (status) => status === 503);
      fill(0);
      let refused: Response | undefined;
      for (let i = 0; i < 200 && !refused; i++) {
        const ids = Array.from({ length: 10 }, () => randomUUID());
        const answer = await log(project, ids);
        if (answer.status === 200) accepted.push(...ids);
        else refused = answer;
      }
      expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
      expect((await fetch(`${product.url}/health/live`)).status).toBe(200);

      free();
      const ids = [randomUUID()];
      await eventually(
        () => log(project, ids),
        ({ status }) => status === 200,
        30_000,
      );
      accepted.push(...ids);
      expect((await stored(project)).sort()).toEqual(accepted.toSorted());
      // A database that had no room a minute ago is sent nothing.
      if (FULL) await eventually(ready, (status) => status === 200, 90_000);
    }
    expect(existsSync(filler)).toBe(false);
  }, 600_000);
});
