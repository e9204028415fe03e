import { indexJson, JsonError, type JsonNode, nextTurn } from '@heddle/json';
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

/** `{files: {"output.log": {content: ["..."]}}}`: a line is four levels below the body. */
const DEPTH = 4;
/** Some milliseconds of work. */
const BYTES_PER_TURN = 1024 * 1024;

/**
 * Reads a body, in slices, as far as it can be read: a client that is told that its data is bad never sends any again, and
 * tells nobody.
 */
export async function readStreamRequest(body: Buffer): Promise<StreamRequest> {
  const request: StreamRequest = { streams: {}, summary: null, isComplete: false, exitCode: null, refused: 0 };
  let root: JsonNode;
  try {
    root = await indexJson(body, { depth: DEPTH });
  } catch (error) {
    if (error instanceof JsonError) return { ...request, refused: 1 };
    throw error;
  }
  if (root.kind !== 'object') return { ...request, refused: 1 };
  for (const [name, file] of root.get('files')?.entries() ?? []) {
    const chunk = await readChunk(file);
    const stream = STREAMS[name];
    if (chunk && stream) request.streams[stream] = chunk;
    else if (chunk && name === SUMMARY) request.summary = chunk.lines.at(-1) ?? null;
    else request.refused++;
  }
  request.isComplete = root.get('complete')?.boolean() === true;
  request.exitCode = root.get('exitcode')?.number() ?? null;
  return request;
}

async function readChunk(file: JsonNode): Promise<StreamChunk | null> {
  const content = file.get('content');
  if (content?.kind !== 'array') return null;
  const offset = file.get('offset')?.number() ?? 0;
  const lines: string[] = [];
  let bytes = 0;
  for (const line of content.items()) {
    lines.push(line.string() ?? line.text());
    bytes += line.byteLength;
    if (bytes > BYTES_PER_TURN) {
      bytes = 0;
      await nextTurn();
    }
  }
  const isPlace = Number.isSafeInteger(offset) && offset >= 0 && offset + lines.length <= MAX_LINES;
  return isPlace ? { offset, lines } : null;
}
