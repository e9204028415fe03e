import { describe, expect, it } from '@jest/globals';
import { isShutDown } from './control-file.js';

const control = (state: number) => {
  const file = Buffer.alloc(8192);
  file.writeBigUInt64LE(7_577_000_000_000_000_000n, 0);
  file.writeUInt32LE(1800, 8);
  file.writeInt32LE(state, 16);
  return file;
};

describe('the control file', () => {
  it('tells a server that was shut down from one that has to recover', () => {
    const [startingUp, shutDown, shuttingDown, inProduction] = [0, 1, 3, 6].map((state) => isShutDown(control(state)));
    expect({ startingUp, shutDown, shuttingDown, inProduction }).toEqual({
      startingUp: false,
      shutDown: true,
      shuttingDown: false,
      inProduction: false,
    });
  });

  it('is not believed when it is cut off', () => {
    expect(isShutDown(Buffer.alloc(10))).toBe(false);
  });
});
