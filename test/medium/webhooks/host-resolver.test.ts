import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EndpointGuard, HostAllowList, SystemHostResolver } from '@heddle/webhooks';
import { NameServer } from './name-server.js';

const SERVFAIL = 2;

describe('SystemHostResolver', () => {
  let server: NameServer;
  let resolver: SystemHostResolver;
  beforeAll(async () => {
    server = await NameServer.start({
      'both.test': ['93.184.216.34', '93.184.216.35', '2606:2800:220:1:0:0:0:1'],
      'four.test': ['93.184.216.34'],
      'six.test': ['2606:2800:220:1:0:0:0:1'],
      'mixed.test': ['93.184.216.34', '0:0:0:0:0:ffff:7f00:1'],
      'compatible.test': ['0:0:0:0:0:0:0808:0808'],
      'empty.test': [],
      'broken.test': SERVFAIL,
    });
    resolver = new SystemHostResolver([server.address]);
  });
  afterAll(() => server.close());

  it('finds all addresses of a name', async () => {
    const addresses = await resolver.resolve('both.test', false);
    expect(addresses.sort()).toEqual(['2606:2800:220:1::1', '93.184.216.34', '93.184.216.35']);
    expect(await resolver.resolve('four.test', false)).toEqual(['93.184.216.34']);
    expect(await resolver.resolve('six.test', false)).toEqual(['2606:2800:220:1::1']);
  });

  it("knows this machine's own name without asking", async () => {
    expect(await resolver.resolve('localhost', false)).toEqual(['127.0.0.1', '::1']);
  });

  it.each([
    ['nowhere.test', 'dns_not_found'],
    ['empty.test', 'dns_not_found'],
    ['broken.test', 'dns_failed'],
    ['mixed.test', 'blocked_address'],
    ['compatible.test', 'blocked_address'],
  ])('lets the guard tell what is wrong with %s (%s)', async (host, code) => {
    const guard = new EndpointGuard(new HostAllowList([]), resolver);
    await expect(guard.check(`https://${host}/`)).rejects.toMatchObject({ code });
  });
});
