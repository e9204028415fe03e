import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Receiver } from '../../support/receiver.js';
import { senderOf, TestNames } from './senders.js';

const URLS = [
  // Loopback, in all the ways that a URL may write it.
  'https://127.0.0.1:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0.0.1:PORT/',
  'https://0X7F.0.0.0X1:PORT/',
  'https://017700000001:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://0177.0.0.01:PORT/',
  'https://127.0x0.00.1:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://１２７.０.０.１:PORT/',
  'https://127。0。0。1:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://localhost:PORT/',
  'https://LOCALHOST.:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://[::]:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[0000::0001]:PORT/',
  // IPv4 inside IPv6.
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[::ffff:0:127.0.0.1]:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[64:ff9b:1::127.0.0.1]:PORT/',
  'https://[64:ff9b:1:7f00:0:100::]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2002:a9fe:a9fe::1]:PORT/',
  'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]:PORT/',
  // Other people's networks.
  'https://10.0.0.1:PORT/',
  'https://0xa000001:PORT/',
  'https://172.16.0.1:PORT/',
  'https://192.168.0.1:PORT/',
  'https://100.64.0.1:PORT/',
  'https://198.18.0.1:PORT/',
  'https://192.0.2.1:PORT/',
  'https://224.0.0.1:PORT/',
  'https://255.255.255.255:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fec0::1]:PORT/',
  'https://[ff02::1]:PORT/',
  'https://[2001:db8::1]:PORT/',
  // Clouds' metadata.
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0251.0376.0251.0376/',
  'https://[::ffff:169.254.169.254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[fd00:ec2::254]/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://METADATA.GOOGLE.INTERNAL./',
  // Other schemes, userinfo, and URLs that others read in other ways.
  'http://127.0.0.1:PORT/',
  'http://public.test:PORT/',
  'ws://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'https://user:pass@public.test:PORT/',
  'https://public.test@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT\\@public.test/',
  'https://public.test\\@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@public.test/',
  'https://public.test:22/',
  '//127.0.0.1:PORT/',
  'https:127.0.0.1:PORT',
  'https:/127.0.0.1:PORT/',
  'https://127.0.0.1 :PORT/',
  'https://127.0.0.1\t:PORT/',
];

/** What a name may turn out to be. */
const ANSWERS = [
  ['127.0.0.1'],
  ['::1'],
  ['::ffff:127.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['0.0.0.0'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['fd00:ec2::254'],
  ['fe80::1%lo'],
  ['93.184.216.34', '127.0.0.1'],
  ['2606:2800:220:1::1', '::1'],
  ['0x7f000001'],
  ['localhost'],
  [''],
];

describe('What a webhook may not reach', () => {
  const listeners: Server[] = [];
  let port: number;
  let seen = 0;

  beforeAll(async () => {
    port = await listenOn('::', 0);
    await listenOn('127.0.0.1', port).catch(() => undefined);
  });
  afterAll(async () => {
    for (const server of listeners) await new Promise((resolve) => server.close(resolve));
  });
  afterEach(() => expect(seen).toBe(0));

  async function listenOn(host: string, wanted: number): Promise<number> {
    const server = createServer((socket) => {
      seen++;
      socket.destroy();
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, host, resolve));
    listeners.push(server);
    return (server.address() as { port: number }).port;
  }

  const names = (): TestNames => new TestNames({ 'public.test': ['93.184.216.34'], localhost: ['127.0.0.1', '::1'] });
  const request = (url: string) => ({ url: url.replace('PORT', String(port)), headers: {}, body: Buffer.from('{}') });

  it('would be seen if it were reached', async () => {
    await senderOf().send(request('http://127.0.0.1:PORT/'));
    await senderOf().send(request('http://[::1]:PORT/'));
    expect(seen).toBe(2);
    seen = 0;
  });

  it(`is a long list: ${URLS.length} URLs and ${ANSWERS.length} answers of name servers`, () => {
    expect(URLS.length + ANSWERS.length).toBeGreaterThan(60);
  });

  it.each(URLS)('is not dialled: %s', async (url) => {
    expect(await senderOf(names(), []).send(request(url))).toMatchObject({
      outcome: 'blocked',
      status: null,
      remoteAddress: null,
    });
  });

  it.each(ANSWERS.map((answer) => [answer.join(', '), answer] as const))(
    'is not dialled by a name that is %s',
    async (_, answer) => {
      const rebound = new TestNames({ 'evil.test': answer });
      const attempt = await senderOf(rebound, []).send(request('https://evil.test:PORT/'));
      expect(attempt).toMatchObject({ outcome: 'blocked', errorCode: 'blocked_address' });
    },
  );

  it('is not dialled by a name that was public when the webhook was saved', async () => {
    const rebound = new TestNames({ 'evil.test': [['93.184.216.34'], ['127.0.0.1']] });
    await rebound.resolve('evil.test');
    expect(await senderOf(rebound, []).send(request('https://evil.test:PORT/'))).toMatchObject({ outcome: 'blocked' });
  });

  it('is not dialled by a name that changes between the check and the connection: it is looked up once', async () => {
    const allowed = await Receiver.start(undefined, { host: '127.0.0.9' });
    const rebound = new TestNames({ 'evil.test': [['127.0.0.9'], ['127.0.0.1']] });
    const url = `http://evil.test:${allowed.port}/`;
    const attempt = await senderOf(rebound, ['127.0.0.9']).send({ url, headers: {}, body: Buffer.from('{}') });
    expect(attempt).toMatchObject({ outcome: 'delivered', remoteAddress: '127.0.0.9' });
    expect(rebound.lookUps).toEqual(['evil.test']);
    await allowed.close();
  });

  it('is not dialled by way of a redirect from where it may', async () => {
    const location = `http://127.0.0.1:${port}/`;
    const allowed = await Receiver.start((response) => response.writeHead(307, { location }).end());
    const url = `http://127.0.0.1:${allowed.port}/`;
    expect(await senderOf().send({ url, headers: {}, body: Buffer.from('{}') })).toMatchObject({
      errorCode: 'redirect',
    });
    await allowed.close();
  });
});
