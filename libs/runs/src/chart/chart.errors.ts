import { NotFoundError } from '@heddle/http';

const MAX_LISTED = 50;

export class MetricNotFoundError extends NotFoundError {
  /** @param existing the run's metrics, or as many as were read */
  constructor(run: string, missing: readonly string[], existing: readonly string[]) {
    const more = existing.length > MAX_LISTED ? ', and more' : '';
    const listed = existing.slice(0, MAX_LISTED).map(quoted).join(', ');
    super(`Run '${run}' has no metric ${missing.map(quoted).join(', ')}. It has ${listed}${more}`, 'metric_not_found');
  }
}

const quoted = (name: string): string => `'${name}'`;
