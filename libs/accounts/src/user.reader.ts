import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TeamMember, type TeamRole, User } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { In, type Repository } from 'typeorm';

/** Users, for features that grant them roles of their own. Whoever calls this has checked that the caller may know. */
@Injectable()
export class UserReader {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  find(username: string): Promise<User | null> {
    return this.users.findOneBy({ username });
  }

  /** The members of a team and these others, in order of creation. */
  findPage(teamId: string, others: readonly string[], query: PageQuery): Promise<User[]> {
    const list = this.users.createQueryBuilder('user').where(
      `(EXISTS (SELECT FROM team_members t WHERE t.team_id = :teamId AND t.user_id = user.id)
          OR user.id = ANY(CAST(:others AS uuid[])))`,
      { teamId, others },
    );
    return findPage(list, query);
  }

  /** What each of them is in the team: those who are no members are left out. */
  async rolesIn(teamId: string, userIds: readonly string[]): Promise<Map<string, TeamRole>> {
    const members = await this.users.manager.findBy(TeamMember, { teamId, userId: In(userIds) });
    return new Map(members.map(({ userId, role }) => [userId, role]));
  }
}
