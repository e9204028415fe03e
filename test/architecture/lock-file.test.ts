import { readFileSync } from 'node:fs';

describe('package-lock.json', () => {
  it('names no registry host, so that it installs from any mirror', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "https?:/);
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
