import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityNotFoundError, type Principal, requireTeamAdmin } from '@heddle/auth';
import { Team, TeamMember } from '@heddle/database';
import type { EntityManager, Repository } from 'typeorm';
import { AccountChangesService } from './account-changes.service.js';
import { DeletionNotConfirmedError } from './accounts.errors.js';
import { chooseDefaultTeam } from './default-team.js';

/** Removes what is outside of the database, once the transaction has committed. */
export type AfterDeletion = () => Promise<void>;

/** What another feature keeps of a team, and deletes with it. */
export interface TeamPart {
  /** @param db of the transaction, in which the team's row goes next, and with it those that belong to it */
  delete(db: EntityManager, caller: Principal, team: Team): Promise<AfterDeletion[]>;
}

/** Deletes a team with all that it owns, in one transaction; files go after it. */
@Injectable()
export class TeamDeletionService {
  private readonly parts: TeamPart[] = [];

  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly changes: AccountChangesService,
  ) {}

  /** For a module's `onModuleInit`. */
  include(part: TeamPart): void {
    this.parts.push(part);
  }

  /** Its administrators may, and those of the instance, who see nothing else of it. */
  async delete(caller: Principal, name: string, confirm: string | undefined): Promise<void> {
    if (!caller.isAdmin) requireTeamAdmin(caller, name);
    const team = await this.teams.findOneBy({ name });
    if (!team) throw new EntityNotFoundError(name);
    if (confirm !== name) throw new DeletionNotConfirmedError('team', name);
    const after = await this.changes.apply(async (db) => {
      const members = await db.findBy(TeamMember, { teamId: team.id });
      const later: AfterDeletion[] = [];
      for (const part of this.parts) later.push(...(await part.delete(db, caller, team)));
      await db.delete(Team, { id: team.id });
      for (const { userId } of members) await chooseDefaultTeam(db, userId);
      return later;
    });
    for (const remove of after) await remove();
  }
}
