import { fromJsonDouble, nextTurn } from '@heddle/json';
import { MAX_METRIC_NAME_LENGTH, type MetricPoint, readLenient } from '@heddle/runs';

export interface HistoryLines {
  /** One for each line; null where it names none that is one; undefined where that is left to the server. */
  steps: (number | null | undefined)[];
  /** The numbers of those lines that have any, with the lines' places among these. */
  points: (Omit<MetricPoint, 'step'> & { line: number; step: number | undefined })[];
  /** Lines that are no JSON object. */
  refused: number;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** Some milliseconds of work. */
const CHARACTERS_PER_TURN = 256 * 1024;
/** Deeper values stay in their lines. */
const MAX_DEPTH = 8;

/**
 * The numbers of a run's history, by name and step, read in slices. Nested ones have names with dots. NaN and the infinities are
 * numbers too, bare or, as older clients write them, as texts. What is none stays in its line: other texts, media, histograms.
 */
export async function readHistory(lines: readonly string[]): Promise<HistoryLines> {
  const result: HistoryLines = { steps: [], points: [], refused: 0 };
  let characters = 0;
  for (const [line, body] of lines.entries()) {
    characters += body.length;
    if (characters > CHARACTERS_PER_TURN) {
      characters = 0;
      await nextTurn();
    }
    const row = readRow(body);
    const step = row && stepOf(row);
    result.steps.push(step);
    if (!row) result.refused++;
    if (!row || step === null) continue;
    const metrics: Record<string, number> = {};
    collect(row, '', 0, metrics);
    if (Object.keys(metrics).length === 0) continue;
    result.points.push({ line, step, timestamp: readTime(row['_timestamp']), metrics });
  }
  return result;
}

function collect(row: Record<string, unknown>, prefix: string, depth: number, into: Record<string, number>): void {
  for (const [key, value] of Object.entries(row)) {
    // Steps and times are the point's own.
    if (depth === 0 && key.startsWith('_')) continue;
    const name = prefix + key;
    const number = numberOf(value);
    if (number !== undefined) {
      if (name.length <= MAX_METRIC_NAME_LENGTH && name !== '' && !UNPRINTABLE.test(name)) into[name] = number;
    } else if (isRow(value) && !('_type' in value) && depth < MAX_DEPTH) collect(value, `${name}.`, depth + 1, into);
  }
}

/** Bare words are read as texts; 1e999 is no infinity. */
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && !Number.isFinite(value) ? undefined : fromJsonDouble(value);

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

/** Writers that share a run leave it to the server. */
function stepOf(row: Record<string, unknown>): number | null | undefined {
  const step = row['_step'];
  return step === undefined || isStep(step) ? step : null;
}

const isStep = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Seconds since 1970. */
function readTime(value: unknown): Date | null {
  const time = typeof value === 'number' && value >= 0 && value < 1e11 ? new Date(value * 1000) : null;
  return time;
}
