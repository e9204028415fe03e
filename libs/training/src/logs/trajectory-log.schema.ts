import Type from 'typebox';
import { TRAJECTORY_GROUPS_EXAMPLE, TrajectoryGroups } from '../trajectories/trajectories.schema.js';

export const LogTrajectories: Type.TSchema = Type.Object({
  split: Type.String({ minLength: 1, maxLength: 64, description: '`train`, `val`, or whatever you call it' }),
  trajectory_groups: TrajectoryGroups,
});

export const LOG_EXAMPLE = { split: 'val', trajectory_groups: TRAJECTORY_GROUPS_EXAMPLE };

/** What is read back. */
export const LoggedTrajectories: Type.TSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  split: Type.String(),
  step: Type.Integer(),
  trajectory_groups: Type.Array(Type.Unknown({ description: 'As it was sent' })),
});
