import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { adapterFolder } from './engine.js';

const JOBS = 100;
const MIB = 1024 ** 2;

interface Kept {
  resident: number;
  kept: number;
}

describe('The memory of a process with the base that ships, two threads, and 32 MiB for caches', () => {
  let figures: { peak: number; settled: Kept; after: Kept };
  beforeAll(async () => {
    const folder = await adapterFolder();
    const script = ['--expose-gc', 'test/medium/engine/memory-process.mjs', String(JOBS), folder.path('')];
    const { stdout } = await promisify(execFile)(process.execPath, script);
    figures = JSON.parse(stdout) as typeof figures;
    await folder.remove();
  }, 120_000);

  it('stays under 250 MB while it trains and serves a step of 768 rollouts', () => {
    expect(figures.peak).toBeLessThan(250e6);
    expect(figures.after.resident).toBeLessThan(250e6);
  });

  it('comes back after 100 jobs', () => {
    const { settled, after } = figures;
    expect(after.kept).toBe(settled.kept);
    expect(after.resident).toBeLessThan(settled.resident + 16 * MIB);
  });
});
