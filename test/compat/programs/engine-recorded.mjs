// What training makes of recorded trajectories: their sequences, and why some of what was answered is in none.
import { trajectoryTokens } from '../../../dist/libs/engine/src/training/trajectory-tokens.js';
import { recordedTrajectory } from '../../../dist/libs/training/src/trajectories/exchanges/recorded-trajectory.js';
import { answer, request } from './engine-request.mjs';

const limits = { maxTokens: 4096, vocabularySize: 100_000, allowWithoutLogprobs: false };
const model = { isNamed: (name) => name === request.model, isBase: () => false };

answer(
  request.trajectories.map((exchanges) => {
    const trajectory = recordedTrajectory(exchanges, model);
    const { sequences, refused } = trajectoryTokens(trajectory, limits, 'trajectory');
    return {
      refused,
      sequences: sequences.map(({ tokens, targets, oldLogprobs }) => ({
        tokens: [...tokens],
        targets: [...targets],
        logprobs: [...oldLogprobs],
      })),
    };
  }),
);
