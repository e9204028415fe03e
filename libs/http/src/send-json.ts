import { writeExact } from '@heddle/json';
import type { NextFunction, Request, Response } from 'express';

/**
 * Answers with a value as JSON. What Express's own `json` does beside it (settings, charsets, ETags, conditional requests)
 * takes as long as the answer of a short chat.
 */
export function sendJson(response: Response, value: unknown): void {
  const body = writeExact(value);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** Has `response.json`, by which Nest answers, keep integers to the last digit. */
export function exactAnswers(_request: Request, response: Response, next: NextFunction): void {
  response.json = (value: unknown) => {
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json; charset=utf-8');
    return response.send(writeExact(value));
  };
  next();
}
