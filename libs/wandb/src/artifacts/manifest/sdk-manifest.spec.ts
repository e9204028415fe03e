import { base64Of, hexOf, readManifest } from './sdk-manifest.js';

describe('readManifest', () => {
  it('reads entries and references, and forgets where they lay on the client', () => {
    const manifest = readManifest(
      JSON.stringify({
        version: 1,
        storagePolicy: 'wandb-storage-policy-v1',
        contents: {
          'a/b.txt': { digest: 'XrY7u+Ae7tCTyyK7j1rNww==', size: 5, local_path: '/home/ada/b.txt' },
          'ref/x': { digest: 'https://example.com/x', ref: 'https://example.com/x', extra: { etag: '1' } },
        },
      }),
    );
    expect(manifest).toEqual({
      version: 1,
      storagePolicy: 'wandb-storage-policy-v1',
      contents: {
        'a/b.txt': { digest: 'XrY7u+Ae7tCTyyK7j1rNww==', size: 5 },
        'ref/x': { digest: 'https://example.com/x', ref: 'https://example.com/x', extra: { etag: '1' } },
      },
    });
  });

  it.each([
    ['no JSON', '{'],
    ['no contents', '{}'],
    ['a path out of the folder', '{"contents": {"../x": {"digest": "a"}}}'],
    ['no digest', '{"contents": {"x": {}}}'],
  ])('refuses %s', (_what, text) => {
    expect(() => readManifest(text)).toThrow();
  });

  it('writes digests in both ways', () => {
    expect(hexOf('XrY7u+Ae7tCTyyK7j1rNww==')).toBe('5eb63bbbe01eeed093cb22bb8f5acdc3');
    expect(base64Of('5eb63bbbe01eeed093cb22bb8f5acdc3')).toBe('XrY7u+Ae7tCTyyK7j1rNww==');
  });
});
