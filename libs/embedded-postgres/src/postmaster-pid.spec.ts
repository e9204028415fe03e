import { describe, expect, it } from '@jest/globals';
import { parsePostmasterPid } from './postmaster-pid.js';

const READY = '8047\n/srv/data\n1795817656\n54999\n\n127.0.0.1\n 16039949         9\nready   \n';

describe('postmaster.pid', () => {
  it('says which process serves which port, and whether it is ready', () => {
    expect(parsePostmasterPid(READY)).toEqual({ pid: 8047, port: 54999, status: 'ready' });
  });

  it('has no status yet while the server is writing it', () => {
    expect(parsePostmasterPid(READY.split('\n').slice(0, 5).join('\n'))).toEqual({
      pid: 8047,
      port: 54999,
      status: '',
    });
    expect(parsePostmasterPid('8047\n')).toEqual({ pid: 8047, port: 0, status: '' });
  });

  it.each(['', '\n', 'abc\n', '-8047\n', '0\n', '8047.5\n'])('names no process in %j', (text) => {
    expect(parsePostmasterPid(text)).toBeUndefined();
  });
});
