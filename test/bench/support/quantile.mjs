/** The least value that at least this share of all does not exceed: the nearest rank. */
export const quantile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)];

export const p99 = (values) => quantile(values, 0.99);

export const median = (values) => quantile(values, 0.5);
