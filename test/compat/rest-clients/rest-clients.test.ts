import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { Receiver } from '../../support/receiver.js';

/** Where .ci/run has installed this folder's package.json. */
const INSTALLED = process.env['REST_CLIENTS']!;
const { HEDDLE_URL: URL = '', HEDDLE_API_KEY: KEY = '' } = process.env;
const bin = (path: string): string => join(INSTALLED, 'node_modules', path);

/** As a user would check it: everything strict, libraries and what was generated too. */
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noUncheckedIndexedAccess: true, types: ['node'] },
    ...{ rootDir: '.', outDir: 'out' },
  },
  include: ['*.ts', 'generated'],
};

/** Imports of files, as Node.js resolves them. */
const HEY_API =
  "export default { input: 'openapi.json', output: { path: 'generated', module: { extension: '.js' } } };";

const run = async (folder: string, args: string[], env: Record<string, string> = {}): Promise<string> => {
  const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...env }, timeout: 120_000 };
  try {
    return (await promisify(execFile)(process.execPath, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
};

describe.each([
  [
    'openapi-fetch',
    'openapi-typescript/bin/cli.js',
    ['openapi.json', '--default-non-nullable', 'false', '-o', 'generated/openapi.ts'],
  ],
  ['hey-api', '@hey-api/openapi-ts/bin/run.js', ['-f', 'hey-api.config.mjs']],
])('A client made from the description: %s', (name, generator, args) => {
  let folder: string;
  let receiver: Receiver;
  beforeAll(async () => {
    folder = mkdtempSync(join(INSTALLED, `${name}-`));
    receiver = await Receiver.start();
    const described = await fetch(`${URL}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await described.text());
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    writeFileSync(join(folder, 'hey-api.config.mjs'), HEY_API);
    mkdirSync(join(folder, 'generated'));
    copyFileSync(join(import.meta.dirname, `programs/${name}.ts`), join(folder, `${name}.ts`));
    await run(folder, [bin(generator), ...args]);
  }, 120_000);
  afterAll(async () => {
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  it('compiles, and takes an automation from its secret to its delivery', async () => {
    await run(folder, [bin('typescript/bin/tsc')]);
    const printed = await run(folder, [`out/${name}.js`], {
      ...{ HEDDLE_URL: URL, HEDDLE_API_KEY: KEY, RECEIVER: `http://127.0.0.1:${receiver.port}/` },
      NAME: `rest_${randomBytes(6).toString('hex')}`,
    });

    expect(JSON.parse(printed)).toEqual({ executions: 1, attempts: 1 });
    const { body, headers } = receiver.last;
    const verifier = new Webhook(Buffer.from('a-secret-that-the-receiver-knows').toString('base64'));
    expect(verifier.verify(body, headers as Record<string, string>)).toEqual({ run: 'nightly', value: '0.95' });
  }, 240_000);
});
