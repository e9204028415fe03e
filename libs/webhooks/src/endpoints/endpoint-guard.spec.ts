import { EndpointGuard } from './endpoint-guard.js';
import { HostAllowList } from './host-allow-list.js';

/** A guard whose DNS says what the test wants, and nothing of other names. */
function guardOf(names: Record<string, string[]> = {}, allowed: string[] = []): EndpointGuard {
  const resolve = async (host: string): Promise<string[]> => {
    if (!names[host]) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return names[host];
  };
  return new EndpointGuard(new HostAllowList(allowed), { resolve });
}
const PUBLIC = { 'hooks.example.com': ['93.184.216.34', '2606:2800:220:1::1'] };
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe('EndpointGuard', () => {
  it('gives the addresses that may be dialled', async () => {
    expect(await guardOf(PUBLIC).check('https://Hooks.Example.com./path?q=1')).toMatchObject({
      host: 'hooks.example.com',
      port: 443,
      addresses: ['93.184.216.34', '2606:2800:220:1::1'],
    });
  });

  it('takes port 443 and those that anybody may open', async () => {
    for (const port of [443, 1024, 8443, 65_535]) {
      expect(await guardOf(PUBLIC).check(`https://hooks.example.com:${port}/`)).toMatchObject({ port });
    }
    for (const port of [1, 22, 25, 80, 1023]) {
      const refused = guardOf(PUBLIC).check(`https://hooks.example.com:${port}/`);
      await expect(refused).rejects.toEqual(code('blocked_port'));
    }
  });

  it.each([
    ['http://hooks.example.com/', 'https_required'],
    ['ftp://hooks.example.com/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['gopher://127.0.0.1:6379/_PING', 'invalid_url'],
    ['hooks.example.com', 'invalid_url'],
    ['https:hooks.example.com', 'invalid_url'],
    ['https:///hooks.example.com', 'invalid_url'],
    ['https://hooks.example.com\\@127.0.0.1/', 'invalid_url'],
    ['https://hooks.example.com/a b', 'invalid_url'],
    ['https://hooks.example.com:99999/', 'invalid_url'],
    [`https://hooks.example.com/${'x'.repeat(2048)}`, 'invalid_url'],
    ['https://user@hooks.example.com/', 'userinfo_not_allowed'],
    ['https://user:pass@hooks.example.com/', 'userinfo_not_allowed'],
    ['https://@hooks.example.com/', 'userinfo_not_allowed'],
    ['https://metadata.google.internal/', 'blocked_host'],
    ['https://METADATA.google.internal./', 'blocked_host'],
  ])('refuses %s (%s)', async (url, expected) => {
    await expect(guardOf(PUBLIC).check(url)).rejects.toEqual(code(expected));
  });

  it('refuses a host if one of its addresses is not public, and does not say which', async () => {
    const guard = guardOf({ 'mixed.example.com': ['93.184.216.34', '10.0.0.1'] });
    const refused = await guard.check('https://mixed.example.com/').catch((error: Error) => error);
    expect(refused).toEqual(code('blocked_address'));
    expect((refused as Error).message).not.toContain('10.0.0.1');
  });

  it('refuses an answer that is no address', async () => {
    const guard = guardOf({ 'odd.example.com': ['0x7f.1'] });
    await expect(guard.check('https://odd.example.com/')).rejects.toEqual(code('blocked_address'));
  });

  it.each([
    ['names', ['receiver.corp.example'], 'http://receiver.corp.example:81/'],
    ['names below a domain', ['*.corp.example'], 'http://receiver.corp.example:81/'],
    ['addresses', ['10.1.2.3'], 'http://10.1.2.3:81/'],
    ['networks', ['10.0.0.0/8'], 'http://receiver.corp.example:81/'],
    ['IPv6 networks', ['fd12::/16'], 'http://[fd12::7]:81/'],
    ['loopback', ['127.0.0.0/8'], 'http://127.0.0.1:81/'],
  ])("lets the operator's %s through, over http too", async (_, allowed, url) => {
    const guard = guardOf({ 'receiver.corp.example': ['10.1.2.3'] }, allowed);
    expect(await guard.check(url)).toMatchObject({ port: 81 });
  });

  it('opens no more than the operator named', async () => {
    const guard = guardOf({ 'corp.example': ['10.1.2.3'], 'evilcorp.example': ['10.1.2.3'] }, [
      '*.corp.example',
      '10.9.0.0/16',
    ]);
    for (const host of ['corp.example', 'evilcorp.example', '10.1.2.3']) {
      await expect(guard.check(`https://${host}/`)).rejects.toEqual(code('blocked_address'));
    }
  });

  it("opens no cloud's metadata service, whatever the operator named", async () => {
    const everything = ['0.0.0.0/0', '::/0', '*.internal', 'metadata.google.internal', 'rebound.example.com'];
    const guard = guardOf({ 'rebound.example.com': ['169.254.169.254'] }, everything);
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', 'rebound.example.com']) {
      await expect(guard.check(`http://${host}/`)).rejects.toEqual(code('blocked_address'));
    }
    await expect(guard.check('http://metadata.google.internal/')).rejects.toEqual(code('blocked_host'));
  });

  it.each([
    ['ENOTFOUND', 'dns_not_found'],
    ['ENODATA', 'dns_not_found'],
    ['ETIMEOUT', 'dns_timeout'],
    ['EAI_AGAIN', 'dns_timeout'],
    ['ESERVFAIL', 'dns_failed'],
  ])('tells why a name has no address (%s)', async (system, expected) => {
    const resolve = () => Promise.reject(Object.assign(new Error('dns'), { code: system }));
    const guard = new EndpointGuard(new HostAllowList([]), { resolve });
    await expect(guard.check('https://hooks.example.com/')).rejects.toEqual(code(expected));
  });

  it('lets a host be saved that has no address yet, but judges the rest', async () => {
    const guard = guardOf({}, ['receiver.corp.example']);
    await guard.checkForSaving('https://later.example.com/');
    await guard.checkForSaving('http://receiver.corp.example/');
    await expect(guard.checkForSaving('http://later.example.com/')).rejects.toEqual(code('https_required'));
    await expect(guard.checkForSaving('https://later.example.com:22/')).rejects.toEqual(code('blocked_port'));
    await expect(guard.checkForSaving('https://127.0.0.1/')).rejects.toEqual(code('blocked_address'));
  });
});
