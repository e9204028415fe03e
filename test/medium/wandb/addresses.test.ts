import { UrlSigner } from '../../../libs/wandb/src/transfers/url-signer.js';
import { md5 } from './sdk-artifact-client.js';
import { SECRET, TwoTeams } from './two-teams.js';

const KINDS = ['artifact file', 'run file', 'manifest', 'content', "a version's manifest"] as const;
type Kind = (typeof KINDS)[number];

/** How each kind is meant to be used. */
const METHODS: Record<Kind, 'GET' | 'PUT'> = {
  'artifact file': 'PUT',
  'run file': 'PUT',
  manifest: 'PUT',
  content: 'GET',
  "a version's manifest": 'GET',
};
const CONTENT = 'as announced';

describe('addresses for transfers without a key', () => {
  let t: TwoTeams;
  let draft: string;
  let addresses: Record<Kind, string>;
  beforeAll(async () => {
    t = await TwoTeams.start();
    await t.ada.upsert({ name: 'files' });
    draft = await t.adas.draft('data');
    const { createRunFiles } = await t.ada.get<{ createRunFiles: { files: [{ uploadUrl: string }] } }>(
      `mutation { createRunFiles(input: {runName: "files", projectName: "loom", files: ["a"]}) { files { uploadUrl } } }`,
    );
    const { artifact } = await t.ada.get<{
      artifact: {
        currentManifest: { file: { directUrl: string } };
        files: { edges: [{ node: { directUrl: string } }] };
      };
    }>(
      `{ artifact(id: "${t.version}") { currentManifest { file { directUrl } } files { edges { node { directUrl } } } } }`,
    );
    addresses = {
      'artifact file': (await t.adas.file(draft, 'a', md5(CONTENT)))!,
      'run file': createRunFiles.files[0].uploadUrl,
      manifest: (await t.adas.manifest(draft)).uploadUrl,
      content: artifact.files.edges[0].node.directUrl,
      "a version's manifest": artifact.currentManifest.file.directUrl,
    };
  });
  afterAll(() => t.api.close());

  const ask = async (address: string, method: string): Promise<[number, string]> => {
    const answer = await fetch(address, { method, ...(method === 'PUT' && { body: CONTENT }) });
    return [answer.status, await answer.text()];
  };
  const tokenOf = (address: string): string => address.split('/').at(-1)!;
  /** Signed by the server itself, for the same but until another time. */
  const until = (address: string, expiresAt: number): string => {
    const { expiresAt: _before, ...transfer } = JSON.parse(
      Buffer.from(tokenOf(address).split('.')[0]!, 'base64url').toString(),
    ) as { expiresAt: number };
    return t.api.provider(UrlSigner).sign(t.api.url, transfer as never, expiresAt);
  };

  it.each(KINDS)('of %s end with their time', async (kind) => {
    const [status, text] = await ask(until(addresses[kind], Date.now() - 1), METHODS[kind]);
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: 'address_expired' }]);
    expect((await ask(until(addresses[kind], Date.now() + 60_000), METHODS[kind]))[0]).not.toBe(403);
  });

  it.each(KINDS)('of %s are good for one method, at one route', async (kind) => {
    const other = METHODS[kind] === 'PUT' ? 'GET' : 'PUT';
    expect((await ask(addresses[kind], other))[0]).toBe(403);
    for (const method of ['DELETE', 'POST']) expect((await ask(addresses[kind], method))[0]).toBe(404);
    const folder = addresses[kind].includes('/manifests/') ? 'transfers' : 'transfers/manifests';
    for (const method of ['GET', 'PUT']) {
      expect((await ask(`${t.api.url}/${folder}/${tokenOf(addresses[kind])}`, method))[0]).toBe(403);
    }
  });

  it.each(KINDS)('of %s are good for one object', async (kind) => {
    const [payload, signature] = tokenOf(addresses[kind]).split('.') as [string, string];
    const folder = addresses[kind].slice(0, addresses[kind].lastIndexOf('/'));
    for (const [other, address] of Object.entries(addresses)) {
      if (other === kind) continue;
      const stolen = `${folder}/${payload}.${tokenOf(address).split('.')[1]!}`;
      expect([other, (await ask(stolen, METHODS[kind]))[0]]).toEqual([other, 403]);
    }
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string | number>;
    for (const field of Object.keys(fields)) {
      const changed = { ...fields, [field]: field === 'expiresAt' ? Number(fields[field]) + 1 : `${fields[field]!}0` };
      const forged = `${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
      expect([field, (await ask(`${folder}/${forged}`, METHODS[kind]))[0]]).toEqual([field, 403]);
    }
  });

  it('take no content but the announced one, and serve what they are for', async () => {
    const other = await fetch(addresses['artifact file'], { method: 'PUT', body: 'other' });
    expect(other.status).toBe(422);
    expect(await ask(addresses['artifact file'], 'PUT')).toEqual([200, '']);
    expect(await ask(addresses.content, 'GET')).toEqual([200, SECRET]);
    expect(await t.adas.contents(draft)).toEqual({ a: CONTENT });
  });

  it('change nothing of what has become a version', async () => {
    await t.adas.describe(draft, { a: { digest: md5(CONTENT), size: CONTENT.length } });
    expect(await t.adas.commit(draft)).toBeUndefined();
    expect((await ask(addresses['artifact file'], 'PUT'))[0]).toBe(409);
    const manifest = { method: 'PUT', body: '{"version":1,"contents":{}}' };
    await fetch(addresses.manifest, manifest);
    expect(await t.adas.contents(draft)).toEqual({ a: CONTENT });
  });
});
