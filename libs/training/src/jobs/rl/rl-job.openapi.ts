import { RL_SETTINGS } from '@heddle/engine';
import Type, { type TSchema } from 'typebox';
import { TRAJECTORY_GROUPS_EXAMPLE, TrajectoryGroups } from '../../trajectories/trajectories.schema.js';

export const TrajectoriesBody: TSchema = Type.Object({ trajectory_groups: TrajectoryGroups });

/** For the API document: the groups are checked by their reader, the settings by theirs. */
export const RlJobBody: TSchema = Type.Object({
  model_id: Type.String({ format: 'uuid' }),
  trajectory_groups: TrajectoryGroups,
  experimental_config: Type.Optional(Type.Union([RL_SETTINGS.schema, Type.Null()])),
  client_job_id: Type.Optional(
    Type.Union([
      Type.String({ maxLength: 255, description: 'As the header `Idempotency-Key`, for clients that set no headers' }),
      Type.Null(),
    ]),
  ),
});

export const RL_JOB_EXAMPLE = {
  model_id: '5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11',
  trajectory_groups: TRAJECTORY_GROUPS_EXAMPLE,
  experimental_config: { learning_rate: 0.0001 },
};
