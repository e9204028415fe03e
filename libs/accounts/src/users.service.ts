import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Principal, requireInstanceAdmin, requireMembership } from '@heddle/auth';
import { TeamMember, User } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import { type EntityManager, Not, type Repository } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { LastAdminError, NameTakenError } from './accounts.errors.js';
import type { UpdateMeDto } from './dto/me.dto.js';
import type { CreateUserDto, UpdateUserDto } from './dto/user.dto.js';
import { findUser } from './find-user.js';
import { teamLedOnlyBy } from './team-admins.js';

/** Users, for the administrators of the instance; and everybody's own account. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly changes: AccountChangesService,
  ) {}

  async create(caller: Principal, { username, email, is_admin }: CreateUserDto): Promise<User> {
    requireInstanceAdmin(caller);
    return this.changes.apply(async (db) => {
      if (await db.existsBy(User, { username })) throw new NameTakenError('user', username);
      await db.insert(User, { username, email: email ?? null, isAdmin: is_admin ?? false });
      return findUser(db, username);
    });
  }

  async list(caller: Principal, query: PageQuery): Promise<User[]> {
    requireInstanceAdmin(caller);
    const users = this.users.createQueryBuilder('user').leftJoinAndSelect('user.defaultTeam', 'team');
    return findPage(users, query);
  }

  async get(caller: Principal, username: string): Promise<User> {
    requireInstanceAdmin(caller);
    return findUser(this.users.manager, username);
  }

  async update(caller: Principal, username: string, { email, is_admin }: UpdateUserDto): Promise<User> {
    requireInstanceAdmin(caller);
    return this.changes.apply(async (db) => {
      const user = await findUser(db, username);
      if (user.isAdmin && is_admin === false) await requireAnotherAdmin(db, user);
      await db.update(User, { id: user.id }, { email, isAdmin: is_admin ?? user.isAdmin });
      return findUser(db, username);
    });
  }

  /** Removes the user with their keys and memberships. What they made stays their teams'. */
  async remove(caller: Principal, username: string): Promise<void> {
    requireInstanceAdmin(caller);
    await this.changes.apply(async (db) => {
      const user = await findUser(db, username);
      if (user.isAdmin) await requireAnotherAdmin(db, user);
      const team = await teamLedOnlyBy(db, user.id);
      if (team !== null) throw new LastAdminError(username, `team '${team}'`);
      await db.delete(User, { id: user.id });
    });
  }

  async me(caller: Principal): Promise<{ user: User; memberships: TeamMember[] }> {
    const user = await findUser(this.users.manager, caller.username);
    const memberships = await this.members.find({
      where: { userId: user.id },
      relations: { team: true },
      order: { createdAt: 'ASC' },
    });
    return { user, memberships };
  }

  async updateMe(caller: Principal, { email, default_entity }: UpdateMeDto): Promise<void> {
    const defaultTeamId = default_entity ? requireMembership(caller, default_entity).teamId : undefined;
    await this.changes.apply(async (db) => {
      const user = await findUser(db, caller.username);
      await db.update(User, { id: user.id }, { email, defaultTeamId: defaultTeamId ?? user.defaultTeamId });
    });
  }
}

async function requireAnotherAdmin(db: EntityManager, { id, username }: User): Promise<void> {
  if (await db.existsBy(User, { isAdmin: true, id: Not(id) })) return;
  throw new LastAdminError(username, 'this instance');
}
