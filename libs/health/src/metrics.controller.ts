import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@heddle/auth';
import type { Response } from 'express';
import { MetricsService } from './metrics.service.js';

/** Open to everybody: scrapers hold no key, and what it shows (counts and times by route) names no team and no secret. */
@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  async get(@Res() response: Response): Promise<void> {
    const text = await this.metrics.text();
    const { contentType } = this.metrics.registry;
    response.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' }).send(text);
  }
}
