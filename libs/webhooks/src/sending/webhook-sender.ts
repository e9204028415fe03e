import type { Socket } from 'node:net';
import { withDeadline } from '@heddle/process';
import { Masker } from '@heddle/secrets';
import { type Attempt, unanswered } from './attempt.js';
import type { CheckedEndpoint, EndpointGuard } from '../endpoints/endpoint-guard.js';
import { type Answer, exchange } from './exchange.js';
import { type ConnectionOptions, openConnection } from './guarded-connection.js';
import { readRetryAfter } from './retry-after.js';
import { sendFailureOf } from './send-failure.js';
import { SendTimeoutError } from './send.errors.js';

export interface SendRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** In milliseconds; `total` includes `connect` (look-up, TCP and TLS) and the reading of the answer. */
  timeouts?: { total: number; connect: number };
  /** Knows the secrets that are sent, to take them out of what comes back. */
  masker?: Masker;
}

const TIMEOUTS = { total: 15_000, connect: 5000 };
const NOTHING_TO_MASK = new Masker([]);

/**
 * Sends one request to an endpoint that need not be a friendly one: only to addresses that the guard permits, following
 * no redirect, over a connection that nothing else uses, in bounded time and memory.
 */
export class WebhookSender {
  constructor(
    private readonly guard: EndpointGuard,
    private readonly options: ConnectionOptions = {},
  ) {}

  async send({ url, headers, body, timeouts = TIMEOUTS, masker = NOTHING_TO_MASK }: SendRequest): Promise<Attempt> {
    const started = performance.now();
    const elapsed = (): number => Math.round(performance.now() - started);
    const seconds = (ms: number): string => `${ms / 1000} s`;
    const late = (): Error =>
      new SendTimeoutError('timeout', `There was no whole answer within ${seconds(timeouts.total)}`);
    const lateToConnect = (): Error =>
      new SendTimeoutError('connect_timeout', `No connection within ${seconds(timeouts.connect)}`);
    let socket: Socket | undefined;
    let remoteAddress: string | null = null;
    try {
      const send = async (deadline: AbortController): Promise<Answer> => {
        const connecting = setTimeout(() => deadline.abort(lateToConnect()), timeouts.connect);
        const connected = await this.connect(url, deadline.signal).finally(() => clearTimeout(connecting));
        socket = connected.socket;
        remoteAddress = socket.remoteAddress ?? null;
        return exchange(socket, connected.endpoint, headers, body);
      };
      const answer = await withDeadline(timeouts.total, send, late);
      return { ...judge(answer, masker), durationMs: elapsed(), remoteAddress };
    } catch (error) {
      const { code, message, retriable } = sendFailureOf(error);
      const attempt = { ...unanswered(code, masker.mask(message), elapsed()), remoteAddress };
      return retriable ? attempt : { ...attempt, outcome: 'blocked' };
    } finally {
      socket?.destroy();
    }
  }

  private async connect(url: string, signal: AbortSignal): Promise<{ endpoint: CheckedEndpoint; socket: Socket }> {
    const endpoint = await this.guard.check(url);
    const socket = await openConnection(endpoint, this.options, signal);
    if (signal.aborted) {
      // Nobody waits for it any more.
      socket.destroy();
      throw signal.reason;
    }
    return { endpoint, socket };
  }
}

function judge({ status, headers, body, cut }: Answer, masker: Masker): Omit<Attempt, 'durationMs' | 'remoteAddress'> {
  const delivered = status >= 200 && status < 300;
  const redirect = status >= 300 && status < 400;
  const error = redirect
    ? `The receiver answered with a redirect (${status}), which is not followed`
    : `The receiver answered ${status}`;
  return {
    outcome: delivered ? 'delivered' : 'failed',
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [masker.mask(name), masker.mask(value)]),
    ),
    body: masker.mask(body, { cut }),
    errorCode: delivered ? null : redirect ? 'redirect' : 'http_error',
    error: delivered ? null : error,
    retryAfterSeconds: readRetryAfter(headers['retry-after'], new Date()),
  };
}
