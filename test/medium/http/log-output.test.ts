import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, logOutput } from '../../../libs/http/src/logging/logger.js';
import { eventually } from '../../support/eventually.js';

describe('the log', () => {
  it('is written as it comes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-log-'));
    const path = join(folder, 'log');
    const logger = createLogger('test', 'info', logOutput(openSync(path, 'a')));
    for (const n of [1, 2, 3]) logger.info({ n });
    const lines = await eventually(
      () => readFileSync(path, 'utf8').split('\n').filter(Boolean),
      ({ length }) => length === 3,
    );
    expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([1, 2, 3]);
    rmSync(folder, { recursive: true });
  });

  it('ends no process where its disk is full', async () => {
    // Whatever is written there finds no room.
    const full = openSync('/dev/full', 'w');
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    process.on('uncaughtException', note);
    const logger = createLogger('test', 'info', logOutput(full));
    for (let i = 0; i < 3; i++) {
      logger.info('x'.repeat(1_000_000));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    process.off('uncaughtException', note);
    expect(failures).toEqual([]);
    closeSync(full);
  });
});
