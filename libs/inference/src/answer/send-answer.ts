import { clientLeft, sendJson } from '@heddle/http';
import type { Response } from 'express';
import { sendEvents } from './send-events.js';

/** Longest that a client may take nothing of its stream. */
const STALL_MS = 60_000;

/** What can be sent as a stream's events or at once, as it was asked for. */
export interface Sendable {
  readonly isStream: boolean;
  whole(): Promise<object>;
  stream(): AsyncIterable<string>;
}

/** @param start is given what ends the generation when the client leaves */
export async function sendAnswer(response: Response, start: (left: AbortSignal) => Promise<Sendable>): Promise<void> {
  const left = clientLeft(response);
  const answer = await start(left);
  if (answer.isStream) await sendEvents(answer.stream(), response, left, STALL_MS);
  else sendJson(response, await answer.whole());
}
