import type { Principal } from '@heddle/auth';
import type { ServedModel } from '../serving/served-models.service.js';

/** Whose a response is: the caller's, and the team's of the model's project, or the caller's default team's. */
export function ownerOf(
  { userId, defaultTeam, teams }: Principal,
  { project }: Pick<ServedModel, 'project'>,
): { userId: string; teamId: string | null } {
  const teamId = project?.teamId ?? (defaultTeam && teams.get(defaultTeam)?.teamId) ?? null;
  return { userId, teamId: teamId || null };
}
