import { toJsonDouble } from '@heddle/json';
import type { TemplateVariables } from '@heddle/webhooks';
import type { MetricCondition, MetricVerdict } from './metric-condition.js';

/** What a payload may say of a condition on a metric, and of what it found: in words, where JSON has no number. */
export const metricVariables = (
  condition: MetricCondition,
  { value, values, note }: MetricVerdict,
): TemplateVariables => ({
  metric_name: condition.metric,
  metric_value: value === null ? null : toJsonDouble(value),
  metric_values: values.map(toJsonDouble),
  metric_filter: condition.text,
  metric_filter_short: condition.shortText,
  metric_current_status: note(),
  threshold: condition.threshold,
});
