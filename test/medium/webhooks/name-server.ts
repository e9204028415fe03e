import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const TYPES: Readonly<Record<number, (address: string) => boolean>> = { 1: isIPv4, 28: (address) => !isIPv4(address) };
const NXDOMAIN = 3;

/** A DNS server on loopback that knows a few names, refuses some with a code, and does not answer about others. */
export class NameServer {
  private constructor(
    private readonly socket: Socket,
    readonly address: string,
  ) {}

  /** @param names addresses; or an RCODE; or nothing at all */
  static async start(names: Record<string, string[] | number | null>): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      const answer = answerTo(query, names);
      if (answer) socket.send(answer, port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, `127.0.0.1:${socket.address().port}`);
  }

  close(): void {
    this.socket.close();
  }
}

function answerTo(query: Buffer, names: Record<string, string[] | number | null>): Buffer | null {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end]!; length > 0; length = query[end]!) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length));
    end += length + 1;
  }
  const question = query.subarray(12, end + 5);
  const known = names[labels.join('.').toLowerCase()] === undefined ? NXDOMAIN : names[labels.join('.').toLowerCase()]!;
  if (known === null) return null;
  const type = query.readUInt16BE(end + 1);
  const records =
    typeof known === 'number' ? [] : known.filter(TYPES[type] ?? (() => false)).map((address) => record(type, address));
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof known === 'number' ? known : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function record(type: number, address: string): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
