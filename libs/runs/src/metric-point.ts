/** What was measured at one step of a run. */
export interface MetricPoint {
  /** 0 or more. Without it, the step after the run's greatest one. */
  step?: number | null;
  /** Default: now. */
  timestamp?: Date | null;
  /** By name; they may be NaN and infinite. */
  metrics: Readonly<Record<string, number>>;
}

/** Points as columns, for one statement, by name and step. No two have the same name and step. */
export interface MetricColumns {
  names: string[];
  steps: number[];
  values: number[];
  timestamps: Date[];
  /** Greatest step of the points; null where there are none. */
  lastStep: number | null;
}
