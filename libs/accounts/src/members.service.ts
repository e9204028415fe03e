import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Principal, requireMembership, requireTeamAdmin } from '@heddle/auth';
import { TeamMember, type TeamRole } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { EntityManager, Repository } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { LastAdminError, MemberNotFoundError } from './accounts.errors.js';
import { chooseDefaultTeam } from './default-team.js';
import { teamLedOnlyBy } from './team-admins.js';
import { findUser } from './find-user.js';

@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly changes: AccountChangesService,
  ) {}

  async list(caller: Principal, team: string, query: PageQuery): Promise<TeamMember[]> {
    const { teamId } = requireMembership(caller, team);
    const members = this.members
      .createQueryBuilder('member')
      .innerJoinAndSelect('member.user', 'user')
      .where('member.teamId = :teamId', { teamId });
    return findPage(members, query, { id: 'userId', createdAt: 'createdAt' });
  }

  /** Takes a user into the team, or changes a member's role. */
  async put(caller: Principal, team: string, username: string, role: TeamRole): Promise<TeamMember> {
    const { teamId } = requireTeamAdmin(caller, team);
    return this.changes.apply(async (db) => {
      const { id: userId } = await findUser(db, username);
      if (role !== 'admin') await requireAnotherAdmin(db, { userId, username, teamId, team });
      await db.upsert(TeamMember, { teamId, userId, role }, ['teamId', 'userId']);
      await chooseDefaultTeam(db, userId);
      return db.findOneOrFail(TeamMember, { where: { teamId, userId }, relations: { user: true } });
    });
  }

  /** Administrators remove anybody; everybody may leave. */
  async remove(caller: Principal, team: string, username: string): Promise<void> {
    const leaving = username === caller.username;
    const { teamId } = leaving ? requireMembership(caller, team) : requireTeamAdmin(caller, team);
    await this.changes.apply(async (db) => {
      const member = await db.findOneBy(TeamMember, { teamId, user: { username } });
      if (!member) throw new MemberNotFoundError(username, team);
      const { userId } = member;
      await requireAnotherAdmin(db, { userId, username, teamId, team });
      await db.delete(TeamMember, { teamId, userId });
      await chooseDefaultTeam(db, userId);
    });
  }
}

interface Leaver {
  userId: string;
  username: string;
  teamId: string;
  team: string;
}

/** @throws LastAdminError where the team has no administrator but this one */
async function requireAnotherAdmin(db: EntityManager, { userId, username, teamId, team }: Leaver): Promise<void> {
  if ((await teamLedOnlyBy(db, userId, teamId)) !== null) throw new LastAdminError(username, `team '${team}'`);
}
