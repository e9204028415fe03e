import { effectiveRole, includesRole } from './place-role.js';

const ADMIN = { role: 'admin' } as const;
const MEMBER = { role: 'member' } as const;

describe('effectiveRole', () => {
  it.each([
    [ADMIN, null, 'admin'],
    [ADMIN, 'viewer', 'admin'],
    [MEMBER, null, 'member'],
    [MEMBER, 'viewer', 'viewer'],
    [MEMBER, 'admin', 'admin'],
    [undefined, 'viewer', 'viewer'],
    [undefined, 'admin', 'admin'],
    [undefined, null, null],
  ] as const)('makes of the team member %j, granted %j, a %j', (membership, granted, role) => {
    expect(effectiveRole(membership, granted, 'member')).toBe(role);
  });

  it('gives plain members of the team what the place gives by default', () => {
    expect(effectiveRole(MEMBER, null, 'viewer')).toBe('viewer');
  });
});

describe('includesRole', () => {
  it('orders the roles: an administrator may do what a member may, and a member what a viewer may', () => {
    expect(includesRole('admin', 'member')).toBe(true);
    expect(includesRole('member', 'viewer')).toBe(true);
    expect(includesRole('member', 'member')).toBe(true);
    expect(includesRole('viewer', 'member')).toBe(false);
    expect(includesRole('member', 'admin')).toBe(false);
  });
});
