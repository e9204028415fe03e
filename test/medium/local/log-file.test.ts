import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogFile } from '../../../apps/local/src/log-files.js';

describe('a log file', () => {
  let folder: string;
  let writer: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-log-'));
    // As a child process holds its standard output.
    writer = openSync(join(folder, 'api.log'), 'a');
  });
  afterEach(() => {
    closeSync(writer);
    rmSync(folder, { recursive: true });
  });
  const log = () => new LogFile(join(folder, 'api.log'), { bytes: 10, files: 3 });
  const contents = () =>
    readdirSync(folder)
      .sort()
      .map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`);

  it('stays as it is while it is small', () => {
    writeSync(writer, 'small');
    log().rotate();
    expect(contents()).toEqual(['api.log: small']);
  });

  it('moves on while its writer goes on, and keeps as many old ones as were asked for', () => {
    for (const text of ['first line', 'second line', 'third line', 'fourth line', 'fifth']) {
      writeSync(writer, text);
      log().rotate();
    }
    expect(contents()).toEqual([
      'api.log: fifth',
      'api.log.1: fourth line',
      'api.log.2: third line',
      'api.log.3: second line',
    ]);
  });

  it('may be missing', () => {
    expect(() => new LogFile(join(folder, 'none.log'), { bytes: 10, files: 3 }).rotate()).not.toThrow();
  });
});
