import { JSON_DOUBLE } from '@heddle/http';
import { type JsonDouble, toJsonDouble } from '@heddle/json';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type { LoggedMetrics } from '../run.writer.js';
import type { HistoryStep, MetricSummary, SampledValue } from '../run-history.repository.js';

const MAX_METRICS = 100;
const METRICS_EXAMPLE = { loss: 1.98, 'val/reward': 0.12 };

class MetricsQuery {
  /** Only these metrics; may be repeated. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @IsString({ each: true })
  @MaxLength(256, { each: true })
  @Matches(/^[^\p{Cc}\p{Cs}]*$/u, { each: true, message: '$property must be printable characters' })
  @ArrayMaxSize(MAX_METRICS)
  @ApiProperty({ type: [String], required: false, example: ['loss'] })
  metric?: string[];

  /**
   * Only steps from this one on.
   * @example 0
   */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  since_step?: number;
}

export class HistoryQuery extends MetricsQuery {
  /**
   * `last_id` of the page before.
   * @example "41"
   */
  @IsOptional()
  @Matches(/^\d{1,16}$/, { message: 'after must be a step' })
  after?: string;

  /** Steps of a page, 1 to 1,000. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;

  /** By step. */
  @IsIn(['asc', 'desc'])
  order: 'asc' | 'desc' = 'asc';
}

export class SampledHistoryQuery extends MetricsQuery {
  /** Most points of each metric, 2 to 5,000. */
  @Type(() => Number)
  @IsInt()
  @Min(2)
  @Max(5000)
  points: number = 500;
}

export class LoggedHistoryDto {
  /**
   * Values written.
   * @example 3
   */
  values: number;

  /**
   * The run's greatest step; null where it has none.
   * @example 41
   */
  last_step: number | null;

  static from({ values, lastStep }: LoggedMetrics): LoggedHistoryDto {
    return { values, last_step: lastStep };
  }
}

export class HistoryStepDto {
  /**
   * The step, as the cursor of the page.
   * @example "41"
   */
  id: string;

  /** @example 41 */
  step: number;

  /** When the step was logged last. */
  timestamp: Date;

  /** By name; what JSON has no number for is a text. */
  @ApiProperty({ type: 'object', additionalProperties: JSON_DOUBLE, example: METRICS_EXAMPLE })
  metrics: Record<string, JsonDouble>;

  static from({ step, timestamp, metrics }: HistoryStep): HistoryStepDto {
    return { id: step, step: Number(step), timestamp, metrics };
  }
}

class SamplePointDto {
  /** @example 41 */
  step: number;

  /** What JSON has no number for is a text. */
  @ApiProperty({ ...JSON_DOUBLE, example: 1.98 })
  value: JsonDouble;

  timestamp: Date;
}

class SampledMetricDto {
  /** @example "loss" */
  name: string;

  /** By step. */
  points: SamplePointDto[];
}

export class SampledHistoryDto {
  metrics: SampledMetricDto[];

  static from(values: SampledValue[]): SampledHistoryDto {
    const metrics = new Map<string, SamplePointDto[]>();
    for (const { name, step, value, timestamp } of values) {
      const points = metrics.get(name) ?? [];
      if (points.push({ step: Number(step), value: toJsonDouble(value), timestamp }) === 1) metrics.set(name, points);
    }
    return { metrics: [...metrics].map(([name, points]) => ({ name, points })) };
  }
}

class MetricSummaryDto {
  /** @example "loss" */
  name: string;

  /** Steps at which it was logged. */
  count: number;

  /**
   * Steps at which it was NaN or infinite.
   * @example 0
   */
  non_finite: number;

  /** Value at the greatest step; what JSON has no number for is a text. */
  @ApiProperty({ ...JSON_DOUBLE, example: 0.42 })
  last: JsonDouble;

  last_step: number;

  /** Of the finite values; null where there is none. */
  min: number | null;

  /** Of the finite values; null where there is none. */
  max: number | null;
}

export class RunSummaryDto {
  /** By name. */
  metrics: MetricSummaryDto[];

  static from(metrics: MetricSummary[]): RunSummaryDto {
    return {
      metrics: metrics.map(({ name, count, finite, last, last_step, min, max }) => ({
        name,
        count: Number(count),
        non_finite: Number(count) - Number(finite),
        last: toJsonDouble(last),
        last_step: Number(last_step),
        min,
        max,
      })),
    };
  }
}
