import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { HealthCheckResult, HealthIndicatorResult } from '@nestjs/terminus';

export class HealthIndicatorDto {
  @ApiProperty({ enum: ['up', 'down'] })
  status: string;

  /** Why it is down. */
  message?: string;

  /** Of `base_models`: those that are on their way here. */
  downloading?: string[];

  /** Of `base_models`: those that can't be used. */
  failed?: string[];

  /** Of `base_models`: those of which a trainer or an inference server doesn't answer. */
  unreachable?: string[];
}

const byName = { type: 'object', additionalProperties: { $ref: getSchemaPath(HealthIndicatorDto) } } as const;

/** The form that Terminus gives a health check. */
@ApiExtraModels(HealthIndicatorDto)
export class HealthDto {
  @ApiProperty({ enum: ['ok', 'error', 'shutting_down'] })
  status: HealthCheckResult['status'];

  /** What is up. */
  @ApiProperty(byName)
  info: Partial<HealthIndicatorResult>;

  /** What is down. */
  @ApiProperty(byName)
  error: Partial<HealthIndicatorResult>;

  /** Both. */
  @ApiProperty(byName)
  details: HealthIndicatorResult;

  static from({ status, info, error, details }: HealthCheckResult): HealthDto {
    return { status, info: info ?? {}, error: error ?? {}, details };
  }
}
