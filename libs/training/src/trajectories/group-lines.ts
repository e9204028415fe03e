import type { History, Trajectory, TrajectoryGroup } from '@heddle/engine';
import type { JsonNode } from '@heddle/json';
import type { RecordedExchanges } from './exchanges/exchange.js';
import { hasExchanges, recordedTrajectory } from './exchanges/recorded-trajectory.js';
import type { TrainedModel } from './exchanges/trained-model.js';

const [LINE_FEED, CARRIAGE_RETURN, SPACE, COMMA] = [0x0a, 0x0d, 0x20, 0x2c];
const NEW_LINE = Buffer.from('\n');
const PIECE_BYTES = 256 * 1024;

/** The groups' own texts, one a line, in pieces that are neither many nor large. */
export function* toLines(groups: Iterable<JsonNode>): Generator<Buffer, void> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for (const part of partsOf(groups)) {
    pending.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(pending, bytes);
    pending = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pending, bytes);
}

function* partsOf(groups: Iterable<JsonNode>): Generator<Buffer, void> {
  for (const group of groups) {
    const text = group.raw();
    for (let at = 0; at < text.length; at += PIECE_BYTES) yield onOneLine(text.subarray(at, at + PIECE_BYTES));
    yield NEW_LINE;
  }
}

/** Line breaks of a JSON text are white space: inside its strings they are escapes. */
function onOneLine(text: Buffer): Buffer {
  if (!text.includes(LINE_FEED) && !text.includes(CARRIAGE_RETURN)) return text;
  return Buffer.from(text.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte)));
}

/** Cuts bytes that come in pieces into their lines; each ends in a line feed. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...begun, piece.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    if (start < piece.length) begun.push(piece.subarray(start));
  }
}

/** The lines as the elements of a JSON array, whose brackets are for the caller. */
export async function* toElements(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let isBetween = false;
  for await (const piece of pieces) {
    const text = Buffer.from(piece);
    for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) text[at] = COMMA;
    if (isBetween) yield Buffer.of(COMMA);
    // Whether a line follows the last one of a piece, the next piece tells.
    isBetween = piece.at(-1) === LINE_FEED;
    yield isBetween ? text.subarray(0, -1) : text;
  }
}

type Sent<T> = { [K in keyof T]?: T[K] | null };
type SentTrajectory = Sent<Trajectory> & { exchanges?: RecordedExchanges | null };

/**
 * What of a stored group is the engine's concern, with the defaults of what is absent or null. Newer clients leave out all
 * that has its default.
 * @param model whose answers are trained on where a trajectory was recorded, and not written down
 */
export function toGroup(line: Buffer, model: TrainedModel): TrajectoryGroup {
  const group = JSON.parse(line.toString('utf8')) as Sent<{ trajectories: SentTrajectory[]; exceptions: unknown[] }>;
  return {
    trajectories: (group.trajectories ?? []).map((trajectory) => ({
      ...histories(trajectory, model),
      reward: trajectory.reward ?? 0,
    })),
    exceptions: group.exceptions?.length ?? 0,
  };
}

function histories({ exchanges, ...written }: SentTrajectory, model: TrainedModel): Omit<Trajectory, 'reward'> {
  if (hasExchanges(exchanges)) return recordedTrajectory(exchanges, model);
  const more = written.additional_histories as Sent<History>[] | null | undefined;
  return { ...history(written), additional_histories: more?.map(history) ?? null };
}

const history = ({ messages_and_choices, tools }: Sent<History>): History => ({
  messages_and_choices: messages_and_choices ?? [],
  tools: tools ?? null,
});
