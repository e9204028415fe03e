import { ApiKey } from './api-key.entity.js';
import { Call } from './call.entity.js';
import { Project } from './project.entity.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { User } from './user.entity.js';

export const entities = [ApiKey, Call, Project, Team, TeamMember, User];
