import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { MetricsService } from './metrics.service.js';

/** Measures every request by the pattern of its route, so that ids in paths make no new series. */
@Injectable()
export class RequestMetricsMiddleware implements NestMiddleware {
  constructor(private readonly metrics: MetricsService) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const started = performance.now();
    response.once('close', () => {
      const route = patternOf(request);
      const labels = { method: request.method, route, status: String(response.statusCode) };
      this.metrics.requestSeconds.observe(labels, (performance.now() - started) / 1000);
    });
    next();
  }
}

/** Express knows it once a route has matched. */
function patternOf(request: Request): string {
  const route: unknown = request.route;
  const isRoute = typeof route === 'object' && route !== null && 'path' in route;
  return isRoute ? String(route.path) : 'unmatched';
}
