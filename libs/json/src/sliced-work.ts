import { setImmediate } from 'node:timers/promises';

/** Work over many bytes that can pause: `step` does about `budget` bytes of it and says whether all is done. */
export interface SlicedWork<T> {
  step(budget: number): boolean;
  result(): T;
}

/** Runs the work, and pauses after each slice. */
export function* inSlices<T>(work: SlicedWork<T>, sliceBytes: number): Generator<void, T> {
  while (!work.step(sliceBytes)) yield;
  return work.result();
}

export function runAtOnce<T>(work: Generator<void, T>): T {
  let turn = work.next();
  while (!turn.done) turn = work.next();
  return turn.value;
}

/** Gives the event loop a turn of its own between slices, so that other requests are served in the meantime. */
export async function runInTurns<T>(work: Generator<void, T>): Promise<T> {
  let turn = work.next();
  while (!turn.done) {
    await nextTurn();
    turn = work.next();
  }
  return turn.value;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Node runs all immediates of a loop turn in one go: queueing behind each other keeps it at one slice a turn for all. */
export async function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  await lastTurn;
}
