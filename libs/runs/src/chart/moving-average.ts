/**
 * Exponential moving average, without the pull of a first value that has no past:
 * m[i] = sum of w^(i-j) x[j] / sum of w^(i-j), over j = 0 ... i.
 * @param weight w, 0 to less than 1: of the past
 */
export function movingAverage(values: readonly number[], weight: number): number[] {
  let sum = 0;
  let weights = 0;
  return values.map((value) => {
    sum = weight * sum + (1 - weight) * value;
    weights = weight * weights + (1 - weight);
    return sum / weights;
  });
}
