import type { TeamRole } from '@heddle/database';

/** Who is asking: the owner of the API key that came with the request. */
export interface Principal {
  userId: string;
  username: string;
  /** Manages users and teams of the instance; reads no team's data by that alone. */
  isAdmin: boolean;
  /** Name of the team that stands for a null `entity`. */
  defaultTeam: string | null;
  /** By team name. */
  teams: ReadonlyMap<string, Membership>;
}

export interface Membership {
  teamId: string;
  role: TeamRole;
}
