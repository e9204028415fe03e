/** SQL that says whether a double is a finite number. NaN is greater than all others to PostgreSQL, and NULL isn't one. */
export const isFinite = (double: string): string => `abs(${double}) < 'Infinity'`;
