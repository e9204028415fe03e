import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { BaseModelsService, RemoteServersService } from '@heddle/base-models';
import { ServingState } from '@heddle/process';
import { HealthCheckService, type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import { DependenciesService } from './dependencies.service.js';
import { HealthDto } from './dto/health.dto.js';

/** Health in the form of Terminus. While the process shuts down it is `shutting_down`, so that no new work is sent to it. */
@Injectable()
export class HealthService {
  constructor(
    private readonly terminus: HealthCheckService,
    private readonly dependencies: DependenciesService,
    private readonly indicators: HealthIndicatorService,
    private readonly bases: BaseModelsService,
    private readonly servers: RemoteServersService,
    private readonly state: ServingState,
  ) {}

  /** The dependencies, and whoever answers first. */
  async check(...own: HealthIndicatorFunction[]): Promise<HealthDto> {
    const health = await this.ask(own);
    return this.state.isDraining ? { ...health, status: 'shutting_down' } : health;
  }

  private async ask(own: HealthIndicatorFunction[]): Promise<HealthDto> {
    try {
      return HealthDto.from(
        await this.terminus.check([...own, ...this.dependencies.indicatorFunctions(), () => this.baseModels()]),
      );
    } catch (error) {
      // Terminus throws its result when something is down; the error filter would turn it into our error form.
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return HealthDto.from(error.getResponse() as HealthDto);
    }
  }

  /** One that is missing stops none of the others, so this is always up. Why it is missing is not for everybody's eyes. */
  private async baseModels() {
    const down = (await this.servers.states()).filter(({ isUp }) => !isUp);
    const unreachable = [...new Set(down.map(({ baseModel }) => baseModel))];
    const [downloading, failed] = [this.bases.inState('downloading'), this.bases.inState('failed')];
    return this.indicators.check('base_models').up({
      ...(downloading.length > 0 ? { downloading } : {}),
      ...(failed.length > 0 ? { failed } : {}),
      ...(unreachable.length > 0 ? { unreachable } : {}),
    });
  }
}
