import { JSON_DOUBLE } from '@heddle/http';
import type { JsonDouble } from '@heddle/json';
import Type from 'typebox';

export const MAX_POINTS = 10_000;

/** For the API document; what it says is checked by {@link readPoints}. */
export const LogHistory = Type.Object({
  points: Type.Array(
    Type.Object({
      step: Type.Optional(
        Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
          description: "Without it, the step after the run's greatest one",
        }),
      ),
      timestamp: Type.Optional(
        Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Default: now' }),
      ),
      metrics: Type.Record(Type.String(), Type.Unsafe<JsonDouble>(JSON_DOUBLE), {
        description: 'By name. The bare tokens `NaN`, `Infinity` and `-Infinity`, as Python writes them, are taken too',
      }),
    }),
    { maxItems: MAX_POINTS },
  ),
});

export const LOG_HISTORY_EXAMPLE = {
  points: [
    { step: 0, metrics: { loss: 2.31, 'val/reward': 0.12 } },
    { step: 1, timestamp: '2026-01-31T12:00:00Z', metrics: { loss: 1.98, grad_norm: 'NaN' } },
  ],
};
