import { md5, SdkArtifactClient } from './sdk-artifact-client.js';
import { SECRET, TwoTeams } from './two-teams.js';

describe('contents of which somebody knows an MD5', () => {
  let t: TwoTeams;
  beforeAll(async () => {
    t = await TwoTeams.start();
  });
  afterAll(() => t.api.close());

  it('must be uploaded by him, and are that content or nothing', async () => {
    const draft = await t.eves.draft('guess');
    const uploadUrl = await t.eves.file(draft, 'a', md5(SECRET));
    expect(uploadUrl).not.toBeNull();
    const guess = await fetch(uploadUrl!, { method: 'PUT', body: 'something else of that MD5' });
    expect([guess.status, await guess.text()]).toEqual([422, expect.stringContaining('MD5')]);
    await t.eves.describe(draft, { a: { digest: md5(SECRET), size: SECRET.length } });
    expect(await t.eves.commit(draft)).toMatch(/'a' with the digest .+ was not uploaded/);
  });

  it('are not taken over from the version that they were born in, nor from its draft', async () => {
    const unfinished = await t.adas.draft('unfinished');
    await fetch((await t.adas.file(unfinished, 'a', md5('draft')))!, { method: 'PUT', body: 'draft' });
    for (const [birthArtifactID, content] of [
      [t.version, SECRET],
      [unfinished, 'draft'],
    ]) {
      const draft = await t.eves.draft('birth');
      await t.eves.describe(draft, { a: { digest: md5(content!), size: 1, birthArtifactID } });
      expect(await t.eves.commit(draft)).toMatch(/was not uploaded/);
      expect(await t.eves.contents(draft)).toEqual({});
    }
  });

  it('are no base to add to', async () => {
    const draft = await t.eves.draft('base');
    const fields = { type: 'INCREMENTAL', baseArtifactID: t.version };
    await expect(t.eves.manifest(draft, fields)).rejects.toThrow(/not found/);
    const { id } = await t.eves.manifest(draft, { type: 'INCREMENTAL' });
    const changed = await t.eve.ask(
      `mutation { updateArtifactManifest(input: {artifactManifestID: "${id}", baseArtifactID: "${t.version}"}) { artifactManifest { id } } }`,
    );
    expect(changed.errors?.[0]?.message).toMatch(/not found/);
  });

  it('are not uploaded again by those who may read them: of the same project, or of the team', async () => {
    const elsewhere = new SdkArtifactClient(t.ada, { entity: t.ada.user.entity, project: 'attic' });
    for (const client of [t.adas, elsewhere]) {
      const draft = await client.draft('again');
      expect(await client.file(draft, 'copy.txt', md5(SECRET))).toBeNull();
      await client.describe(draft, { 'copy.txt': { digest: md5(SECRET), size: SECRET.length } });
      expect(await client.commit(draft)).toBeUndefined();
      expect(await client.contents(draft)).toEqual({ 'copy.txt': SECRET });
    }
  });

  it('must be uploaded by guests of another project of the team', async () => {
    await t.ada.upsert({ name: 'r', modelName: 'open' });
    const member = `/v1/projects/${t.ada.user.entity}/open/members/${t.eve.user.username}`;
    expect((await t.rest.ada('PUT', member, { role: 'member' })).status).toBe(200);
    const guest = new SdkArtifactClient(t.eve, { entity: t.ada.user.entity, project: 'open' });
    expect(await guest.file(await guest.draft('guess'), 'a', md5(SECRET))).not.toBeNull();
    // But not what that project holds.
    await new SdkArtifactClient(t.ada, guest.place).version('shown', 'a', 'for guests');
    expect(await guest.file(await guest.draft('guess'), 'b', md5('for guests'))).toBeNull();
  });
});
