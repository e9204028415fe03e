import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import type { MetricsService } from './metrics.service.js';
import { RequestMetricsMiddleware } from './request-metrics.middleware.js';

function measured(request: object, statusCode: number): Record<string, string>[] {
  const labels: Record<string, string>[] = [];
  const requestSeconds = { observe: (each: Record<string, string>) => labels.push(each) };
  const response = Object.assign(new EventEmitter(), { statusCode });
  let passed = false;
  new RequestMetricsMiddleware({ requestSeconds } as unknown as MetricsService).use(
    request as Request,
    response as unknown as Response,
    () => (passed = true),
  );
  expect(passed).toBe(true);
  expect(labels).toEqual([]);
  response.emit('close');
  response.emit('close');
  return labels;
}

describe('requests are measured', () => {
  it('once, at their end, by the pattern of their route', () => {
    const request = { method: 'GET', url: '/v1/users/ada', route: { path: '/v1/users/:username' } };
    expect(measured(request, 200)).toEqual([{ method: 'GET', route: '/v1/users/:username', status: '200' }]);
  });

  it('as unmatched where no route is theirs, whatever their path', () => {
    expect(measured({ method: 'POST', url: '/a/b' }, 404)).toEqual([
      { method: 'POST', route: 'unmatched', status: '404' },
    ]);
  });
});
