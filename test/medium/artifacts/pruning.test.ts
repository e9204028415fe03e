import { existsSync, readdirSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsService, PruneArtifactsHandler } from '@heddle/artifacts';
import { ArtifactApi, base64, sha256 } from './artifact-api.js';

const DAY_MS = 24 * 3_600_000;

describe('pruning of artifacts', () => {
  let t: ArtifactApi;
  let collection: { name: string; path: string };
  beforeAll(async () => {
    t = await ArtifactApi.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    collection = await t.collection();
  });

  const prune = () => t.api.provider(PruneArtifactsHandler).handle();
  const stored = (content: string): boolean => {
    const digest = sha256(content);
    return existsSync(join(t.api.env.DATA_DIR, 'artifacts', 'sha256', digest.slice(0, 2), digest));
  };
  const version = (content: string) => t.version(collection, { files: [{ path: 'a', content: base64(content) }] });
  const age = (table: 'artifact_versions' | 'artifact_blobs', column: 'created_at' | 'received_at') =>
    t.api.database.pool.query(`UPDATE ${table} SET ${column} = now() - interval '25 hours'`);

  it('gives drafts up after a day, and their files with them', async () => {
    const [old, young] = [await t.draft(collection), await t.draft(collection)];
    await t.upload(old, 'a', 'old draft');
    await age('artifact_versions', 'created_at');
    await age('artifact_blobs', 'received_at');
    await t.api.database.pool.query('UPDATE artifact_versions SET created_at = now() WHERE id = $1', [
      young.split('/').at(-1),
    ]);
    await t.upload(young, 'a', 'young draft');
    await prune();
    expect([(await t.ask('GET', old)).status, stored('old draft')]).toEqual([404, false]);
    expect([(await t.ask('GET', young)).status, stored('young draft')]).toEqual([200, true]);
  });

  it('leaves versions and their files, however old', async () => {
    await version('ancient');
    await age('artifact_versions', 'created_at');
    await age('artifact_blobs', 'received_at');
    await prune();
    expect(await (await t.download(`${collection.path}/versions/v0`, 'a')).text()).toBe('ancient');
  });

  it('takes content away with the last version that has it', async () => {
    await version('shared');
    await version('shared');
    await t.ask('DELETE', `${collection.path}/versions/v0`);
    expect(stored('shared')).toBe(true);
    await t.ask('DELETE', `${collection.path}/versions/v1`);
    expect(stored('shared')).toBe(false);
  });

  it('takes away what a killed process was receiving', async () => {
    await version('x');
    const incoming = join(t.api.env.DATA_DIR, 'artifacts', 'incoming');
    await writeFile(join(incoming, 'half'), 'half');
    await prune();
    expect(readdirSync(incoming)).toEqual(['half']);
    const yesterday = new Date(Date.now() - DAY_MS - 1000);
    await utimes(join(incoming, 'half'), yesterday, yesterday);
    await prune();
    expect(readdirSync(incoming)).toEqual([]);
  });

  it('never takes a file from a version, when the same content comes and goes at once', async () => {
    const blobs = t.api.provider(BlobsService);
    for (let round = 0; round < 10; round++) {
      const content = `round ${round}`;
      await version(content);
      const [created] = await Promise.all([
        version(content),
        t.ask('DELETE', `${collection.path}/versions/v${2 * round}`),
        blobs.collect([sha256(content)]),
        blobs.collectAll(new Date()),
      ]);
      const download = await t.download(`${collection.path}/versions/${String(created.body['version'])}`, 'a');
      expect(await download.text()).toBe(content);
    }
  });
});
