import { placeOf, requireSupportedVersion } from './server-version.js';

const URL = 'postgres://heddle:hunter2@db.example.com/heddle';

describe('the version of the PostgreSQL server', () => {
  it.each([
    [150_000, '15.0'],
    [150_020, '15.20'],
    [180_004, '18.4'],
  ])('%i is supported', (number, version) => {
    expect(() => requireSupportedVersion({ number, version }, URL)).not.toThrow();
  });

  it('before 15 is refused in one line that names both, and no password', () => {
    expect(() => requireSupportedVersion({ number: 140_019, version: '14.19' }, URL)).toThrow(
      'PostgreSQL 15 or newer is required; db.example.com:5432/heddle runs 14.19',
    );
  });
});

describe('placeOf', () => {
  it('shows where, and no credentials', () => {
    expect(placeOf('postgres://u:p@127.0.0.1:6000/x')).toBe('127.0.0.1:6000/x');
    expect(placeOf(URL)).not.toContain('hunter2');
  });
});
