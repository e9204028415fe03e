import { logLineOf } from './log-line.js';

describe('logLineOf', () => {
  it('reads time and text', () => {
    expect(logLineOf({ number: 3, body: '2026-11-28T18:00:38.123456 epoch 1: loss 0.4' })).toEqual({
      number: 3,
      timestamp: '2026-11-28T18:00:38.123456',
      level: null,
      label: null,
      line: 'epoch 1: loss 0.4',
    });
  });

  it('knows what went to the error stream', () => {
    const line = logLineOf({ number: 0, body: 'ERROR 2026-11-28T18:00:38.1 Traceback' });
    expect([line.level, line.line]).toEqual(['error', 'Traceback']);
  });

  it('shows anything else as it is', () => {
    expect(logLineOf({ number: 0, body: 'no time here' })).toMatchObject({ timestamp: null, line: 'no time here' });
  });
});
