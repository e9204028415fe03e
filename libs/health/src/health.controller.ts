import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { HealthIndicatorService } from '@nestjs/terminus';
import { Public } from '@heddle/auth';
import type { Response } from 'express';
import { HealthDto } from './dto/health.dto.js';
import { SystemCheckDto } from './dto/system-check.dto.js';
import { HealthService } from './health.service.js';
import { isHealthy, SystemCheckService } from './system-check.service.js';

@Public()
@ApiTags('health')
@Controller('v1')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly systemCheck: SystemCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @ApiOperation({ summary: 'Health of the API, its database and its queues' })
  @ApiOkResponse({ type: HealthDto, description: 'All are up.' })
  @ApiServiceUnavailableResponse({ type: HealthDto, description: 'Something is down.' })
  @Header('Cache-Control', 'no-store')
  @Get('health')
  async getHealth(@Res({ passthrough: true }) response: Response): Promise<HealthDto> {
    const health = await this.health.check(() => this.indicators.check('api').up());
    if (health.status !== 'ok') response.status(503);
    return health;
  }

  @ApiOperation({
    summary: 'Checks all components',
    description: 'Queries the database and sends a probe job through each queue to a worker and back, in bounded time.',
  })
  @ApiOkResponse({ type: SystemCheckDto, description: 'Every component works.' })
  @ApiServiceUnavailableResponse({ type: SystemCheckDto, description: 'A check failed.' })
  @Header('Cache-Control', 'no-store')
  @Get('system-check')
  async getSystemCheck(@Res({ passthrough: true }) response: Response): Promise<SystemCheckDto> {
    const check = await this.systemCheck.check();
    if (!isHealthy(check)) response.status(503);
    return check;
  }
}
