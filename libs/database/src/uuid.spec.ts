import { isUuid } from './uuid.js';

describe('isUuid', () => {
  it.each([
    '0192c7a5-2f40-7c3e-9d2b-5a1f8e6b4c3d',
    '0192C7A5-2F40-7C3E-9D2B-5A1F8E6B4C3D',
    '00000000-0000-0000-0000-000000000000',
  ])('takes %s', (text) => expect(isUuid(text)).toBe(true));

  it.each([
    '',
    'latest',
    '0192c7a52f407c3e9d2b5a1f8e6b4c3d',
    '{0192c7a5-2f40-7c3e-9d2b-5a1f8e6b4c3d}',
    '0192c7a5-2f40-7c3e-9d2b-5a1f8e6b4c3g',
    '0192c7a5-2f40-7c3e-9d2b-5a1f8e6b4c3d\n',
    ' 0192c7a5-2f40-7c3e-9d2b-5a1f8e6b4c3d',
  ])('does not take %j', (text) => expect(isUuid(text)).toBe(false));
});
