import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  EntityNotFoundError,
  type Principal,
  requireInstanceAdmin,
  requireMembership,
  requireTeamAdmin,
} from '@heddle/auth';
import { Team, TeamMember } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { NameTakenError } from './accounts.errors.js';
import { chooseDefaultTeam } from './default-team.js';
import { findUser } from './find-user.js';

@Injectable()
export class TeamsService {
  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly changes: AccountChangesService,
  ) {}

  /** Administrators of the instance make teams; who makes one is its first administrator. */
  async create(caller: Principal, name: string): Promise<Team> {
    requireInstanceAdmin(caller);
    return this.changes.apply(async (db) => {
      if (await db.existsBy(Team, { name })) throw new NameTakenError('team', name);
      const { id: userId } = await findUser(db, caller.username);
      const team = await db.save(Team, { name });
      await db.insert(TeamMember, { teamId: team.id, userId, role: 'admin' });
      await chooseDefaultTeam(db, userId);
      return team;
    });
  }

  /** The caller's own teams. */
  async list(caller: Principal, query: PageQuery): Promise<Team[]> {
    const own = this.teams
      .createQueryBuilder('team')
      .innerJoin(TeamMember, 'member', 'member.teamId = team.id AND member.userId = :userId', {
        userId: caller.userId,
      });
    return findPage(own, query);
  }

  /** Changes what is named. */
  async update(
    caller: Principal,
    name: string,
    { artifactTtlSeconds: ttl }: { artifactTtlSeconds?: number | null | undefined },
  ): Promise<Team> {
    if (!caller.isAdmin) requireTeamAdmin(caller, name);
    const team = await this.teams.findOneBy({ name });
    if (!team) throw new EntityNotFoundError(name);
    if (ttl === undefined) return team;
    team.artifactTtlSeconds = ttl === null ? null : String(ttl);
    await this.teams.update(team.id, { artifactTtlSeconds: team.artifactTtlSeconds });
    return team;
  }

  async get(caller: Principal, name: string): Promise<Team> {
    return this.teams.findOneByOrFail({ id: requireMembership(caller, name).teamId });
  }
}
