import { connect } from 'node:net';
import type pg from 'pg';

/** Where a connection leads, and what PostgreSQL or the pooler there knows it by: `pg.Client` keeps the last two to itself. */
type Insides = { host: string; port: number; processID: number | null; secretKey: number };

const CANCEL_REQUEST = 80_877_102;
const PATIENCE_MS = 5000;

/**
 * Asks the other end to end what this connection runs, by the protocol and not by `pg_cancel_backend`: a pooler makes up the
 * number of the process, and no connection of a pool need be free. That it was asked is all that can be known.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Insides;
  if (processID === null) return;
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, i) => request.writeInt32BE(value, 4 * i));
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => undefined).setTimeout(PATIENCE_MS, () => socket.destroy());
  // The other end closes once it has done it; PgBouncer forgets what a client that is gone has asked.
  socket.resume().write(request);
}
