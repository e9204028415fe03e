import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@heddle/auth';
import { resolveEntity } from './default-entity.js';

const caller = (defaultTeam: string | null): Principal => ({
  userId: 'u1',
  username: 'ada',
  isAdmin: false,
  defaultTeam,
  teams: new Map(),
});

describe('resolveEntity', () => {
  it("reads null and nothing as the caller's default entity", () => {
    expect(resolveEntity(caller('weavers'), null)).toBe('weavers');
    expect(resolveEntity(caller('weavers'), undefined)).toBe('weavers');
  });

  it('keeps the entity that is named', () => {
    expect(resolveEntity(caller('weavers'), 'dyers')).toBe('dyers');
  });

  it('asks for a name where the caller has no default', () => {
    expect(() => resolveEntity(caller(null), null)).toThrow(
      expect.objectContaining({ status: 422, detail: [expect.objectContaining({ loc: ['body', 'entity'] })] }),
    );
  });
});
