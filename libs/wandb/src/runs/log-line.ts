import type { StoredLine } from '@heddle/runs';

export interface LogLine {
  number: number;
  /** ISO time without a zone; null where the line has none. */
  timestamp: string | null;
  level: string | null;
  label: string | null;
  line: string;
}

/** Reads `<time> <text>` and `ERROR <time> <text>`, as clients send what went to the console. */
export function logLineOf({ number, body }: StoredLine): LogLine {
  const [, level = null, timestamp = null, line] = /^(ERROR )?(\d{4}-\d\d-\d\dT[\d:.]+) (.*)$/s.exec(body) ?? [];
  return { number, timestamp, level: level && 'error', label: null, line: line ?? body };
}
