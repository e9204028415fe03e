import { Injectable } from '@nestjs/common';
import { MissingRoleError, type Principal, requireTeamAdmin } from '@heddle/auth';
import type { AuditEntry } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { type AuditFilter, AuditRepository } from './audit.repository.js';

/** The log, for administrators: those of the instance read all of it, those of a team what is the team's. */
@Injectable()
export class AuditLogService {
  constructor(private readonly audit: AuditRepository) {}

  async list(caller: Principal, filter: Omit<AuditFilter, 'teamIds'>, query: PageQuery): Promise<AuditEntry[]> {
    return this.audit.findPage({ ...filter, teamIds: readableTeams(caller, filter.team) }, query);
  }
}

/** @returns null for all of them @throws MissingRoleError | EntityNotFoundError */
function readableTeams(caller: Principal, team: string | undefined): string[] | null {
  if (caller.isAdmin) return null;
  if (team !== undefined) return [requireTeamAdmin(caller, team).teamId];
  const own = [...caller.teams.values()].filter(({ role }) => role === 'admin');
  if (own.length === 0) throw new MissingRoleError('admin', 'one of your teams');
  return own.map(({ teamId }) => teamId);
}
