import { describe, expect, it } from '@jest/globals';
import { settingsArguments } from './server-settings.js';

describe('the settings of the server', () => {
  it('are given on its command line', () => {
    expect(settingsArguments().join(' ')).toContain('-c fsync=on -c synchronous_commit=on');
  });

  it('give way to those of the caller, once each', () => {
    const values = settingsArguments({ fsync: 'off', log_duration: 'on' }).filter((argument) => argument !== '-c');
    expect(values).toEqual(expect.arrayContaining(['fsync=off', 'log_duration=on']));
    expect(values).not.toContain('fsync=on');
  });
});
