import { readFileSync } from 'node:fs';

describe.each(['package-lock.json', 'test/compat/rest-clients/package-lock.json'])('%s', (path) => {
  it('names no registry host, so that it installs from any mirror', () => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/"resolved": "https?:/);
  });
});

describe('package.json', () => {
  it('pins what must not drift: bullmq exactly, TypeScript 6', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(dependencies['bullmq']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(devDependencies['typescript']).toMatch(/^\^?6\./);
  });
});
