import { ApiKey } from './api-key.entity.js';
import { Call } from './call.entity.js';
import { Feedback } from './feedback.entity.js';
import { ModelPrice } from './model-price.entity.js';
import { Project } from './project.entity.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { TraceFile, TraceFileChunk } from './trace-file.entities.js';
import { TraceObjectAlias, TraceObjectTag } from './trace-object-label.entities.js';
import { TraceObject } from './trace-object.entity.js';
import { TraceTable, TraceTableChunk, TraceTableRow } from './trace-table.entities.js';
import { User } from './user.entity.js';

export const entities = [
  ApiKey,
  Call,
  Feedback,
  ModelPrice,
  Project,
  Team,
  TeamMember,
  TraceFile,
  TraceFileChunk,
  TraceObject,
  TraceObjectAlias,
  TraceObjectTag,
  TraceTable,
  TraceTableChunk,
  TraceTableRow,
  User,
];
