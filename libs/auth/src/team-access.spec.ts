import { describe, expect, it } from '@jest/globals';
import type { Principal } from './principal.js';
import { requireInstanceAdmin, requireMembership, requireTeamAdmin } from './team-access.js';

const caller = (isAdmin = false): Principal => ({
  userId: 'u1',
  username: 'ada',
  isAdmin,
  defaultTeam: 'weavers',
  teams: new Map([
    ['weavers', { teamId: 't1', role: 'admin' }],
    ['dyers', { teamId: 't2', role: 'member' }],
  ]),
});

describe('team access', () => {
  it('hides teams from those who are not members, administrators of the instance included', () => {
    for (const isAdmin of [false, true]) {
      expect(() => requireMembership(caller(isAdmin), 'spinners')).toThrow(expect.objectContaining({ status: 404 }));
      expect(() => requireTeamAdmin(caller(isAdmin), 'spinners')).toThrow(expect.objectContaining({ status: 404 }));
    }
  });

  it('names the role that a member lacks', () => {
    expect(requireMembership(caller(), 'dyers').teamId).toBe('t2');
    expect(() => requireTeamAdmin(caller(), 'dyers')).toThrow("You need the role 'admin' in team 'dyers'");
    expect(requireTeamAdmin(caller(), 'weavers').teamId).toBe('t1');
  });

  it("keeps the instance's administration from administrators of a team", () => {
    expect(() => requireInstanceAdmin(caller(false))).toThrow("You need the role 'admin' in this instance");
    expect(() => requireInstanceAdmin(caller(true))).not.toThrow();
  });
});
