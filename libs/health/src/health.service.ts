import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthIndicatorFunction } from '@nestjs/terminus';
import { DependenciesService } from './dependencies.service.js';
import { HealthDto } from './dto/health.dto.js';

/** Health in the form of Terminus. While the process shuts down it is `shutting_down`, so that no new work is sent to it. */
@Injectable()
export class HealthService {
  constructor(
    private readonly terminus: HealthCheckService,
    private readonly dependencies: DependenciesService,
  ) {}

  /** The dependencies, and whoever answers first. */
  async check(...own: HealthIndicatorFunction[]): Promise<HealthDto> {
    try {
      return HealthDto.from(await this.terminus.check([...own, ...this.dependencies.indicatorFunctions()]));
    } catch (error) {
      // Terminus throws its result when something is down; the error filter would turn it into our error form.
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return HealthDto.from(error.getResponse() as HealthDto);
    }
  }
}
