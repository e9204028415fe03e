import type { LineStream } from '@heddle/runs';

/** Lines of one stream; the number of the first is `offset`. */
export interface StreamChunk {
  offset: number;
  lines: string[];
}

/** What a client tells of its run, all of it optional. */
export interface StreamRequest {
  streams: Partial<Record<LineStream, StreamChunk>>;
  /** The whole summary as JSON text. */
  summary: string | null;
  isComplete: boolean;
  exitCode: number | null;
  /** How many parts could not be read. */
  refused: number;
}

const STREAMS: Readonly<Record<string, LineStream>> = {
  'wandb-history.jsonl': 'history',
  'wandb-events.jsonl': 'events',
  'output.log': 'log',
};
const SUMMARY = 'wandb-summary.json';
/** Largest number that a line may have. */
const MAX_LINES = 2_000_000_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Reads a body as far as it can be read: a client that is told that its data is bad never sends any again, and tells nobody.
 */
export function readStreamRequest(body: Buffer): StreamRequest {
  const request: StreamRequest = { streams: {}, summary: null, isComplete: false, exitCode: null, refused: 0 };
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    json = undefined;
  }
  if (!isRecord(json)) return { ...request, refused: 1 };
  for (const [name, file] of Object.entries(isRecord(json['files']) ? json['files'] : {})) {
    const chunk = readChunk(file);
    const stream = STREAMS[name];
    if (chunk && stream) request.streams[stream] = chunk;
    else if (chunk && name === SUMMARY) request.summary = chunk.lines.at(-1) ?? null;
    else request.refused++;
  }
  request.isComplete = json['complete'] === true;
  request.exitCode = typeof json['exitcode'] === 'number' ? json['exitcode'] : null;
  return request;
}

function readChunk(file: unknown): StreamChunk | null {
  if (!isRecord(file) || !Array.isArray(file['content'])) return null;
  const offset = Number(file['offset'] ?? 0);
  const lines = file['content'].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const isPlace = Number.isSafeInteger(offset) && offset >= 0 && offset + lines.length <= MAX_LINES;
  return isPlace ? { offset, lines } : null;
}
