import { ValidationError } from '@heddle/http';
import type { TimeBuckets } from '../../usage/time-buckets.js';
import type { NumberBuckets, QuerySpanStats } from './span-stats.schema.js';

const MAX_DAYS = 31;
const DAY = 86_400_000_000n;

/** The ranges of numbers that are asked for, if any. */
export const numberBuckets = ({ bucket_by: bucket }: QuerySpanStats): NumberBuckets | undefined =>
  bucket?.type === 'number' ? bucket : undefined;

/** What goes together. @throws ValidationError at the first field that doesn't, as the hosted service decides */
export function checkSpanStats(request: QuerySpanStats, { start, end }: Pick<TimeBuckets, 'start' | 'end'>): void {
  const { metrics = [], group_by: groupBy = [], group_filters: filters = [] } = request;
  const numbers = numberBuckets(request);
  const refuse = (field: string, msg: string, ...more: string[]): never => {
    throw ValidationError.at(['body', field, ...more], msg, 'conflict');
  };
  if (metrics.length === 0 && !numbers) refuse('metrics', 'at least one is required');
  const whole = groupBy.length === 0 && filters.length === 0 && !numbers;
  if (!whole && end - start > BigInt(MAX_DAYS) * DAY)
    refuse('end', `more than ${MAX_DAYS} days after the start, which goes without groups and ranges only`);
  if (numbers) checkNumbers(numbers, refuse);
  if (numbers && groupBy.length > 0) refuse('group_by', 'goes with buckets of time only');
  if (numbers?.group_by?.length && metrics.length > 0) refuse('metrics', 'a range of groups has their count only');
  if (filters.length > 0 && groupBy.length > 0) refuse('group_filters', 'goes without group_by only');
  if (filters.length > 0 && numbers && !numbers.group_by?.length)
    refuse('group_filters', 'goes with buckets of time, or of a measure of groups');
}

function checkNumbers(
  { value, group_by: groupBy = [], measure, min, max }: NumberBuckets,
  refuse: (field: string, msg: string, ...more: string[]) => never,
): void {
  const ofGroups = groupBy.length > 0 || Boolean(measure);
  if (Boolean(value) === ofGroups) refuse('bucket_by', 'either value, or group_by and measure');
  if (ofGroups && !(groupBy.length > 0 && measure)) refuse('bucket_by', 'group_by and measure go together');
  if (min != null && max != null && max < min) refuse('bucket_by', 'must not be less than min', 'max');
}
