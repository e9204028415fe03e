import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '@heddle/auth';
import type { Response } from 'express';
import { HealthDto } from './dto/health.dto.js';
import { LiveDto } from './dto/live.dto.js';
import { HealthService } from './health.service.js';

/** For whoever runs the process: `live` failing means "start it again", `ready` failing means "send it nothing now". */
@Public()
@ApiTags('health')
@Controller('health')
export class ProbesController {
  constructor(private readonly health: HealthService) {}

  @ApiOperation({ summary: 'Whether the process runs; touches nothing' })
  @ApiOkResponse({ type: LiveDto })
  @Header('Cache-Control', 'no-store')
  @Get('live')
  live(): LiveDto {
    return { status: 'ok' };
  }

  @ApiOperation({ summary: 'Whether the process can work: its database and queues answer' })
  @ApiOkResponse({ type: HealthDto, description: 'Ready.' })
  @ApiServiceUnavailableResponse({ type: HealthDto, description: 'Something is down, or the process is ending.' })
  @Header('Cache-Control', 'no-store')
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthDto> {
    const health = await this.health.check();
    if (health.status !== 'ok') response.status(503);
    return health;
  }
}
