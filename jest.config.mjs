import { swcOptions } from './test/support/shared-modules/swc-options.mjs';

// Tests run as ES modules through SWC. Small tests lie beside the code and do no I/O; the rest is under test/.
const base = {
  runtime: '<rootDir>/test/support/shared-modules/runtime.mjs',
  testEnvironment: '<rootDir>/test/support/shared-modules/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions],
  },
  moduleNameMapper: {
    '^@heddle/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

const withServerOf = (folder) => ({
  globalSetup: `<rootDir>/test/${folder}/global-setup.mjs`,
  globalTeardown: `<rootDir>/test/${folder}/global-teardown.mjs`,
});

const project = (name, testMatch, extra = {}) => ({ ...base, displayName: name, testMatch, ...extra });

export default {
  projects: [
    project('small', ['<rootDir>/{apps,libs,tools}/**/*.spec.ts']),
    project('architecture', ['<rootDir>/test/architecture/**/*.test.ts']),
    project('medium', ['<rootDir>/test/medium/**/*.test.ts'], withDatabase),
    project('e2e', ['<rootDir>/test/e2e/**/*.test.ts']),
    // They need redis-server, Chromium, promtool, libfaketime, rclone and moto, generators of clients, SkyRL and vLLM, so they are not part of `npm test`.
    ...(process.argv.includes('redis') ? [project('redis', ['<rootDir>/test/redis/**/*.test.ts'], withDatabase)] : []),
    ...(process.argv.includes('faults')
      ? [project('faults', ['<rootDir>/test/faults/**/*.test.ts'], withDatabase)]
      : []),
    ...(process.argv.includes('s3') ? [project('s3', ['<rootDir>/test/s3/**/*.test.ts'], withDatabase)] : []),
    ...(process.argv.includes('browser') ? [project('browser', ['<rootDir>/test/browser/**/*.test.ts'])] : []),
    ...(process.argv.includes('rest-clients')
      ? [project('rest-clients', ['<rootDir>/test/compat/rest-clients/*.test.ts'])]
      : []),
    ...['trainer', 'inference-server']
      .filter((name) => process.argv.includes(name))
      .map((name) => project(name, [`<rootDir>/test/${name}/**/*.test.ts`], withServerOf(name))),
    ...(process.argv.includes('prometheus')
      ? [project('prometheus', ['<rootDir>/test/prometheus/**/*.test.ts'], withDatabase)]
      : []),
    project('compat', ['<rootDir>/test/compat/*.test.ts'], withDatabase),
  ],
  // Tests mostly wait, for a database or a process: one core less, which is Jest's default, would stand idle.
  maxWorkers: '100%',
  // ES modules that a test file loaded are never freed; collecting garbage around gigabytes of them costs more than a new
  // worker does.
  workerIdleMemoryLimit: '800MB',
  testTimeout: 30_000,
};
