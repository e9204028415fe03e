import { clientLeft, sendJson } from '@heddle/http';
import type { Response } from 'express';
import type { Answer } from './answer.js';
import { sendEvents } from './send-events.js';

/** Longest that a client may take nothing of its stream. */
const STALL_MS = 60_000;

/** @param start is given what ends the generation when the client leaves */
export async function sendAnswer(response: Response, start: (left: AbortSignal) => Promise<Answer>): Promise<void> {
  const left = clientLeft(response);
  const answer = await start(left);
  if (answer.isStream) await sendEvents(answer.stream(), response, left, STALL_MS);
  else sendJson(response, await answer.whole());
}
