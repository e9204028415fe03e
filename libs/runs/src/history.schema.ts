import { ValidationError } from '@heddle/http';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { MetricPoint } from './metric-point.js';

export const MAX_POINTS = 10_000;

/** Compiled: class-validator would block the event loop on 10,000 points. */
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
      metrics: Type.Record(Type.String(), Type.Number(), { description: 'Finite numbers by name' }),
    }),
    { maxItems: MAX_POINTS },
  ),
});

export const LOG_HISTORY_EXAMPLE = {
  points: [
    { step: 0, metrics: { loss: 2.31, 'val/reward': 0.12 } },
    { step: 1, timestamp: '2026-01-31T12:00:00Z', metrics: { loss: 1.98 } },
  ],
};

const check = Compile(LogHistory);

/** @throws ValidationError that names each place */
export function readPoints(body: unknown): MetricPoint[] {
  if (!check.Check(body)) {
    throw new ValidationError(
      check.Errors(body).map(({ keyword, instancePath, params, message }) => ({
        loc: ['body', ...pointerSegments(instancePath), ...missingOf(params)],
        msg: message,
        type: keyword === 'required' ? 'missing' : `${keyword}_error`,
      })),
    );
  }
  return body.points.map(({ step, timestamp, metrics }, index) => ({
    step,
    timestamp: timestamp ? toDate(timestamp, index) : null,
    metrics,
  }));
}

function toDate(timestamp: string, index: number): Date {
  const date = new Date(timestamp);
  // Years before 1 can't be stored, and no run is that old.
  if (date.getTime() >= 0) return date;
  throw ValidationError.at(['body', 'points', index, 'timestamp'], 'must be a time since 1970', 'date_time', timestamp);
}

const pointerSegments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const missingOf = (params: object): string[] =>
  'requiredProperties' in params ? (params.requiredProperties as string[]).slice(0, 1) : [];
