import { nextTurn } from '@heddle/json';
import { MAX_METRIC_NAME_LENGTH, type MetricPoint, readLenient } from '@heddle/runs';

export interface HistoryLines {
  /** One for each line; null where it names none. */
  steps: (number | null)[];
  /** The numbers of those lines that have any. */
  points: (MetricPoint & { step: number })[];
  /** Lines that are no JSON object. */
  refused: number;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** Some milliseconds of work. */
const CHARACTERS_PER_TURN = 256 * 1024;
/** Deeper values stay in their lines. */
const MAX_DEPTH = 8;

/**
 * The numbers of a run's history, by name and step, read in slices. Nested ones have names with dots. What is no finite number stays in
 * its line: text, media, histograms, NaN and Infinity.
 */
export async function readHistory(lines: readonly string[]): Promise<HistoryLines> {
  const result: HistoryLines = { steps: [], points: [], refused: 0 };
  let characters = 0;
  for (const line of lines) {
    characters += line.length;
    if (characters > CHARACTERS_PER_TURN) {
      characters = 0;
      await nextTurn();
    }
    const row = readRow(line);
    const step = row && isStep(row['_step']) ? row['_step'] : null;
    result.steps.push(step);
    if (!row) result.refused++;
    if (!row || step === null) continue;
    const metrics: Record<string, number> = {};
    collect(row, '', 0, metrics);
    if (Object.keys(metrics).length === 0) continue;
    result.points.push({ step, timestamp: readTime(row['_timestamp']), metrics });
  }
  return result;
}

function collect(row: Record<string, unknown>, prefix: string, depth: number, into: Record<string, number>): void {
  for (const [key, value] of Object.entries(row)) {
    // Steps and times are the point's own.
    if (depth === 0 && key.startsWith('_')) continue;
    const name = prefix + key;
    if (typeof value === 'number' && Number.isFinite(value)) {
      if (name.length <= MAX_METRIC_NAME_LENGTH && name !== '' && !UNPRINTABLE.test(name)) into[name] = value;
    } else if (isRow(value) && !('_type' in value) && depth < MAX_DEPTH) collect(value, `${name}.`, depth + 1, into);
  }
}

function readRow(line: string): Record<string, unknown> | null {
  try {
    const row = readLenient(line);
    return isRow(row) ? row : null;
  } catch {
    return null;
  }
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStep = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Seconds since 1970. */
function readTime(value: unknown): Date | null {
  const time = typeof value === 'number' && value >= 0 && value < 1e11 ? new Date(value * 1000) : null;
  return time;
}
