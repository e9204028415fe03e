/** The numbers that JSON lacks, in the words of Python, JavaScript and PostgreSQL. */
export const NON_FINITE = ['NaN', 'Infinity', '-Infinity'] as const;

/** A double as JSON can hold it. */
export type JsonDouble = number | (typeof NON_FINITE)[number];

/** What isn't finite becomes its word. */
export const toJsonDouble = (value: number): JsonDouble =>
  Number.isFinite(value) ? value : (String(value) as JsonDouble);

export const isJsonDouble = (value: unknown): value is JsonDouble =>
  typeof value === 'number' || NON_FINITE.some((word) => word === value);

/** What {@link toJsonDouble} made of a number; undefined for anything else. */
export const fromJsonDouble = (value: unknown): number | undefined => (isJsonDouble(value) ? Number(value) : undefined);
