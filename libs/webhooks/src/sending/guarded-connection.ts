import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseAddress } from '../endpoints/address-rules.js';
import type { CheckedEndpoint } from '../endpoints/endpoint-guard.js';
import { EndpointRefusedError } from './send.errors.js';

/** How long an address may take while there is another one to try. */
const NEXT_ADDRESS_MS = 1500;
const MAX_ADDRESSES = 4;

export interface ConnectionOptions {
  /** Certificates to trust beside the usual ones, in PEM. */
  ca?: string[];
}

/**
 * Connects to one of the addresses that were checked: the name is not resolved again. IPv4 goes first, since a host that
 * has both may have no way to IPv6. Nothing is written before the other end is known to be that address.
 */
export async function openConnection(
  endpoint: CheckedEndpoint,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dialAny(endpoint, signal);
  return endpoint.url.protocol === 'https:' ? encrypt(socket, endpoint.host, options, signal) : socket;
}

async function dialAny({ addresses, port }: CheckedEndpoint, signal: AbortSignal): Promise<Socket> {
  const left = [...addresses].sort((a, b) => isIP(a) - isIP(b)).slice(0, MAX_ADDRESSES);
  for (;;) {
    const address = left.shift()!;
    try {
      return await dial(address, port, signal, left.length > 0 ? NEXT_ADDRESS_MS : undefined);
    } catch (error) {
      if (signal.aborted || left.length === 0 || error instanceof EndpointRefusedError) throw error;
    }
  }
}

async function dial(address: string, port: number, signal: AbortSignal, limitMs?: number): Promise<Socket> {
  const socket = connect({ host: address, port, noDelay: true, ...(limitMs ? { timeout: limitMs } : {}) });
  socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  await settled(socket, 'connect', signal);
  socket.setTimeout(0);
  if (!isSame(socket.remoteAddress, address)) {
    socket.destroy();
    throw new EndpointRefusedError('blocked_address', 'The connection went to another address than the one checked');
  }
  return socket;
}

async function encrypt(socket: Socket, host: string, { ca }: ConnectionOptions, signal: AbortSignal): Promise<Socket> {
  const encrypted = connectTls({
    socket,
    host,
    // An address is no server name, but the certificate must hold it all the same.
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
  });
  await settled(encrypted, 'secureConnect', signal);
  return encrypted;
}

/** Waits for `event`; a failure or the signal ends the socket. */
async function settled(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  const abort = (): void => void socket.destroy(signal.reason as Error);
  let closed = (): void => undefined;
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    await new Promise<void>((resolve, reject) => {
      closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      socket.once(event, resolve).once('error', reject).once('close', closed);
    });
    // Whoever reads it listens from here on; an error in between must not be one that nobody expects.
    socket.on('error', () => undefined);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    socket.off('close', closed);
  }
}

const isSame = (actual: string | undefined, wanted: string): boolean =>
  actual === wanted ||
  (actual !== undefined && parseAddress(actual).toNormalizedString() === parseAddress(wanted).toNormalizedString());
