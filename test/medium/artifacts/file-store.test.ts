import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FileStore } from '@heddle/artifacts';
import { DiskRoom } from '@heddle/files';
import { DiskObjectStore } from '@heddle/storage';
import { sha256 } from './artifact-api.js';

const source = (...chunks: string[]): Readable => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe('the file store', () => {
  let directory: string;
  let store: FileStore;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-store-'));
    store = new FileStore(new DiskObjectStore(directory), directory, 0);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const incoming = (): string[] => readdirSync(join(directory, 'artifacts/incoming'));

  it('finds content by its digest once it is kept, and not before', async () => {
    const file = await store.receive(source('ab', 'c'), 3);
    expect(file).toMatchObject({ sha256: sha256('abc'), size: 3 });
    expect(await store.open(file.sha256)).toBeNull();
    await file.keep();
    expect(await text((await store.open(file.sha256))!)).toBe('abc');
    expect(await text((await store.open(file.sha256, { start: 1, end: 1 }))!)).toBe('b');
    expect(incoming()).toEqual([]);
  });

  it('keeps the same content twice', async () => {
    for (let n = 0; n < 2; n++) await (await store.receive(source('abc'), 3)).keep();
    expect(await text((await store.open(sha256('abc')))!)).toBe('abc');
  });

  it('forgets what is discarded, but not what was kept', async () => {
    const [kept, discarded] = [await store.receive(source('a'), 1), await store.receive(source('b'), 1)];
    await kept.keep();
    await kept.discard();
    await discarded.discard();
    expect(await text((await store.open(kept.sha256))!)).toBe('a');
    expect(incoming()).toEqual([]);
  });

  it('stops at the limit, and leaves nothing', async () => {
    await expect(store.receive(source('ab', 'cd'), 3)).rejects.toMatchObject({ status: 413 });
    expect(incoming()).toEqual([]);
  });

  it('leaves nothing of a source that breaks', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('ab');
        throw new Error('gone');
      })(),
    );
    await expect(store.receive(broken, 10)).rejects.toMatchObject({ status: 400, code: 'upload_interrupted' });
    expect(incoming()).toEqual([]);
  });

  it('refuses what there is no room for, before any of it comes, and leaves nothing', async () => {
    const full = new FileStore(
      new DiskObjectStore(directory),
      directory,
      0,
      new DiskRoom(directory, 5, () => Promise.resolve(10)),
    );
    const long = source('abcdef');
    await expect(full.receive(long, 100, 6)).rejects.toMatchObject({ status: 503, code: 'storage_full' });
    expect(long.readableDidRead).toBe(false);
    expect(readdirSync(directory)).toEqual([]);
    const file = await full.receive(source('abcde'), 100, 5);
    await file.keep();
    // What was promised to it is no longer.
    await (await full.receive(source('vwxyz'), 100, 5)).discard();
    await expect(full.receive(source('ab'), 1, 5)).rejects.toMatchObject({ status: 413 });
    await (await full.receive(source('vwxyz'), 100, 5)).discard();
    expect(incoming()).toEqual([]);
  });

  it('lets those read on who have begun, when content is removed', async () => {
    const file = await store.receive(source('abc'), 3);
    await file.keep();
    const reader = (await store.open(file.sha256))!;
    await store.remove(file.sha256);
    await store.remove(file.sha256);
    expect(await text(reader)).toBe('abc');
    expect(await store.open(file.sha256)).toBeNull();
  });

  it('takes nothing but a digest for a name', async () => {
    expect(() => store.open('../../etc/passwd')).toThrow(TypeError);
    expect(() => store.remove('../incoming')).toThrow(TypeError);
    expect(existsSync(directory)).toBe(true);
  });
});
