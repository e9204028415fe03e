import { describe, expect, it } from '@jest/globals';
import { memberIdOf, userIdOf } from './member-id.js';

describe('the id of a user for clients', () => {
  it.each(['5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11', '00000000-0000-4000-8000-000000000001'])('holds %s', (id) => {
    const text = Buffer.from(memberIdOf(id), 'base64').toString();
    expect(text).toMatch(/^User:\d+$/);
    expect(userIdOf(memberIdOf(id))).toBe(id);
  });

  it.each(['', 'nobody', 'RW50aXR5OjE=', Buffer.from(`User:${'9'.repeat(39)}`).toString('base64')])(
    'is not %j',
    (id) => {
      expect(() => userIdOf(id)).toThrow("is no user's id");
    },
  );
});
