import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { demoPrompts } from '../../../tools/pretraining/material/demo-prompts.js';
import { adapterFolder } from './engine.js';

const JOBS = 100;
const MIB = 1024 ** 2;

interface Kept {
  resident: number;
  kept: number;
}

describe('The memory of a process with the base that ships, two threads, and 32 MiB for caches', () => {
  let figures: { peak: number; early: Kept; late: Kept };
  beforeAll(async () => {
    const folder = await adapterFolder();
    try {
      // The young generation is what `npm start` gives the worker.
      const options = ['--expose-gc', '--max-semi-space-size=2'];
      const script = [
        'test/medium/engine/memory-process.mjs',
        String(JOBS),
        folder.path(''),
        JSON.stringify(demoPrompts()),
      ];
      const { stdout } = await promisify(execFile)(process.execPath, [...options, ...script]);
      figures = JSON.parse(stdout) as typeof figures;
    } finally {
      await folder.remove();
    }
  }, 120_000);

  it('stays under 250 MB while it trains and serves a step of 768 rollouts', () => {
    expect(figures.peak).toBeLessThan(250e6);
    expect(figures.late.resident).toBeLessThan(250e6);
  });

  it('comes back after 100 jobs', () => {
    const { early, late } = figures;
    expect(late.kept).toBe(early.kept);
    expect(late.resident).toBeLessThan(early.resident + 16 * MIB);
  });
});
