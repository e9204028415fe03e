import { ValidationError } from '@heddle/http';

export interface MetricLogging {
  /** Step of the run; null: that of the next checkpoint. */
  step: number | null;
}

/**
 * `metric_logging` in the settings of a fine-tuning job, `{enabled, target_training_step?}`. Null is absent.
 * @returns null where nothing is to be logged. @throws ValidationError that names the bad field
 */
export function readMetricLogging(config: Readonly<Record<string, unknown>>, loc: string[]): MetricLogging | null {
  const place = [...loc, 'metric_logging'];
  const asked = config['metric_logging'] ?? {};
  if (typeof asked !== 'object' || Array.isArray(asked)) {
    throw ValidationError.at(place, 'must be an object', 'object_type');
  }
  const { enabled = null, target_training_step: step = null } = asked as Record<string, unknown>;
  if (enabled !== null && typeof enabled !== 'boolean') {
    throw ValidationError.at([...place, 'enabled'], 'must be true or false', 'config_value');
  }
  if (step !== null && !isStep(step)) {
    throw ValidationError.at([...place, 'target_training_step'], 'must be a whole number from 0 on', 'config_value');
  }
  return enabled ? { step } : null;
}

const isStep = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
