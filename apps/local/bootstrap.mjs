// The first code that runs on a fresh clone: it needs nothing but Node.js and npm, installs and builds what is missing,
// then hands over. Usage: node apps/local/bootstrap.mjs start|models|files|backup|restore|export|import|build|openapi|test|check|bench|pretrain|pretrain:measure [arguments]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '../..');
const stampPath = join(root, 'node_modules/.heddle-installed');
const installedNow = () => digest([join(root, 'package-lock.json')]);
const bin = (name) => join(root, 'node_modules', name);
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', bin('jest/bin/jest.js')];

/** What the API reads beside its code. */
const SCHEMA = 'libs/wandb/src/graphql/schema.graphql';
/** What `npm run import` runs beside its code. */
const WANDB_IMPORT = 'apps/local/wandb-import';

const commands = {
  start: () => {
    endWithNpm();
    return import(join(root, 'dist/apps/local/src/main.js'));
  },
  models: (args) => run('node', [join(root, 'dist/apps/local/src/models.js'), ...args]),
  files: (args) => run('node', [join(root, 'dist/apps/local/src/files.js'), ...args]),
  backup: (args) => run('node', [join(root, 'dist/apps/local/src/backup.js'), 'backup', ...args]),
  restore: (args) => run('node', [join(root, 'dist/apps/local/src/backup.js'), 'restore', ...args]),
  export: (args) => run('node', [join(root, 'dist/apps/local/src/archives.js'), 'export', ...args]),
  import: (args) => run('node', [join(root, 'dist/apps/local/src/archives.js'), 'import', ...args]),
  build: () => undefined,
  stamp: () => undefined,
  openapi: () => run('node', [join(root, 'dist/apps/api/src/write-openapi.js'), 'openapi.json']),
  test: (args) => run('node', [...jest, ...args]),
  check: (args) => {
    run('node', [bin('prettier/bin/prettier.cjs'), '--check', '.']);
    run('node', [bin('eslint/bin/eslint.js'), '.']);
    run('node', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']);
    run('node', [
      bin('dependency-cruiser/bin/dependency-cruise.mjs'),
      'apps',
      'libs',
      'tools',
      '--config',
      'test/architecture/imports.cjs',
    ]);
    // CI has just run them.
    if (!args.includes('--static')) run('node', [...jest, '--selectProjects', 'small', 'architecture']);
  },
  pretrain: (args) => runTool('pretraining/pretrain.js', args),
  'pretrain:measure': (args) => runTool('pretraining/measure.js', args),
  // Some benches measure with tools.
  bench: (args) => {
    buildTools();
    run('node', [join(root, 'test/bench/main.mjs'), ...args]);
  },
};

const [name = 'start', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) fail(`unknown command '${name}'; one of ${Object.keys(commands).join(', ')}`);
requireNode(20, 19);
process.chdir(root);
// For images, which install before the sources are there.
if (name === 'stamp') {
  writeFileSync(stampPath, installedNow());
  process.exit(0);
}
install();
build();
await commands[name](args);

/**
 * Under `npm start` a signal to npm kills the shell between npm and this process, which would never hear of it. Whoever
 * starts this file without npm decides by himself how long it runs.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = () => process.ppid === parent || process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 250).unref();
}

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  fail(`Node.js ${major}.${minor} or newer is required; this is ${process.versions.node}`);
}

/** `npm ci` when the lock file isn't the one that was installed. */
function install() {
  const wanted = installedNow();
  if (read(stampPath) === wanted) return;
  say('Installing packages (npm ci): about 20 seconds');
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stampPath, wanted);
}

/** Builds when a source or a setting of the compiler isn't the one that was built. */
function build() {
  const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
  onceFor(settings, ['apps', 'libs'], 'dist/.built-from', () => {
    say('Building: about 15 seconds');
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    run('node', [bin('@nestjs/cli/bin/nest.js'), 'build', 'api']);
    buildEngine();
    for (const path of [SCHEMA, WANDB_IMPORT]) cpSync(join(root, path), join(root, 'dist', path), { recursive: true });
  });
}

/** What a tool needs of the engine is compiled again with it, to the same files. */
function buildTools() {
  onceFor(['tsconfig.json', 'tsconfig.tools.json'], ['libs/engine/src', 'tools'], 'dist/.tools-built-from', () =>
    run('node', [bin('typescript/bin/tsc'), '-p', 'tsconfig.tools.json']),
  );
}

function runTool(path, args) {
  buildTools();
  run('node', [join(root, 'dist/tools', path), ...args]);
}

/** Does something when files, or those in folders, aren't those that it was last done for. */
function onceFor(files, folders, stampPath, act) {
  const stamp = join(root, stampPath);
  const sources = folders.flatMap((folder) => filesBelow(join(root, folder)));
  const wanted = digest([...files.map((file) => join(root, file)), ...sources]);
  if (read(stamp) === wanted) return;
  act();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** The engine's kernels as WebAssembly, kept for as long as they don't change, and the base models beside its code. */
function buildEngine() {
  const engine = join(root, 'dist/libs/engine');
  buildKernels('simd,threads,bulk-memory', join(engine, 'kernels/kernels.wasm'));
  buildKernels('simd,threads,bulk-memory,relaxed-simd', join(engine, 'kernels/kernels-relaxed.wasm'));
  cpSync(join(root, 'libs/engine/base-models'), join(engine, 'base-models'), { recursive: true });
}

function buildKernels(features, to) {
  const sources = filesBelow(join(root, 'libs/engine/kernels'));
  const version = digest([join(root, 'package-lock.json'), ...sources]).slice(0, 16);
  const kept = join(root, '.cache', `${version}-${basename(to)}`);
  if (!existsSync(kept)) {
    const memory = ['--importMemory', '--sharedMemory', '--maximumMemory', '65536'];
    const options = [
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--disableWarning',
      '112',
      '--enable',
      features,
      ...memory,
    ];
    run('node', [bin('assemblyscript/bin/asc.js'), 'libs/engine/kernels/index.ts', '-o', kept, ...options]);
  }
  cpSync(kept, to);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function digest(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function run(command, parameters) {
  const program = command === 'node' ? process.execPath : command;
  const { status, error } = spawnSync(program, parameters, { stdio: 'inherit', cwd: root });
  if (error) fail(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`heddle: ${line}\n`);
  process.exit(1);
}
