import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { CheckedEndpoint } from '../endpoints/endpoint-guard.js';

/** What is kept of an answer. */
const MAX_BODY_BYTES = 16 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

const WHOLE_TEXT = new TextDecoder();

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Whether the body went on. */
  cut: boolean;
}

/** Sends one request over a connection of its own and reads as much of the answer as is kept. */
export function exchange(
  socket: Socket,
  { url, host, port }: CheckedEndpoint,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => socket,
      method: 'POST',
      host,
      port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': String(body.length) },
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const closed = (): void => reject(resetError('no answer'));
    sent.once('error', reject);
    // Also what Node takes for no error, like an answer that switches to another protocol.
    sent.once('close', closed);
    sent.once('response', (response) => {
      sent.off('close', closed);
      readAnswer(response).then(resolve, reject);
    });
    sent.end(body);
  });
}

function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    const answer = (cut: boolean): void =>
      resolve({ status: response.statusCode ?? 0, headers: flat(response), body: textOf(chunks, cut), cut });
    response.on('data', (chunk: Buffer) => {
      const rest = MAX_BODY_BYTES - kept;
      chunks.push(chunk.length > rest ? Buffer.from(chunk.subarray(0, rest)) : chunk);
      kept += chunk.length;
      if (kept <= MAX_BODY_BYTES) return;
      answer(true);
      response.destroy();
    });
    response.once('end', () => answer(false));
    response.once('error', reject);
    response.once('close', () => {
      if (!response.readableEnded) reject(resetError('half an answer'));
    });
  });
}

const resetError = (message: string): Error => Object.assign(new Error(message), { code: 'ECONNRESET' });

/** A character that was cut in two goes, and U+0000, which no text column takes and which could hide a secret. */
const textOf = (chunks: Buffer[], cut: boolean): string =>
  (cut ? new TextDecoder() : WHOLE_TEXT).decode(Buffer.concat(chunks), { stream: cut }).replaceAll('\0', '');

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
