import { register } from 'node:module';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SyntheticModule } from 'node:vm';
import JestRuntime from 'jest-runtime';
import { isSource, sourceMapOf } from './compiled-sources.mjs';

register('./typescript-hooks.mjs', import.meta.url);

const OF_JEST = /[\\/]node_modules[\\/](@jest[\\/]|jest-|expect[\\/])/;

const GLOBALS = ['describe', 'it', 'test', 'expect', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'];

/**
 * Loads the product and what it stands on once for each of Jest's processes, as Node.js itself does, and only tests and
 * their helpers anew for each file: half of the time of the medium tests was the same two thousand modules again.
 * Tests of one process share the product's module state then, as the requests of one process do, and its globals.
 */
class SharedModulesRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    const loader = this.esmLoader;
    const { loadEsmModule, loadCjsAsEsm } = loader;
    const isShared = sharedBelow(this._config.rootDir);
    // An object literal of a test is an Object to the product.
    loader.getContext = () => undefined;
    // Newer versions of Node.js would walk a test's whole graph at once, past what stands here.
    this._resolution.hasDistinctAsyncResolver = () => true;
    loader.loadEsmModule = (path, suffix) =>
      isShared(path) ? this.sharedModule(path) : loadEsmModule.call(loader, path, suffix);
    loader.loadCjsAsEsm = (from, path, suffix, context) =>
      isShared(path) ? this.sharedModule(path) : loadCjsAsEsm.call(loader, from, path, suffix, context);
  }

  shared = new Map();

  async unstable_importModule(from, moduleName) {
    for (const name of GLOBALS) globalThis[name] = this._environment.global[name];
    return super.unstable_importModule(from, moduleName);
  }

  /** Stacks name the lines of the product's sources, too. */
  getSourceMaps() {
    const maps = super.getSourceMaps();
    const get = maps.get.bind(maps);
    maps.get = (file) => get(file) ?? (isSource(file) ? sourceMapOf(file) : undefined);
    return maps;
  }

  /** The native module, as one that a test's own modules can be linked with. */
  sharedModule(path) {
    if (!this.shared.has(path)) this.shared.set(path, this.wrap(path));
    return this.shared.get(path);
  }

  async wrap(path) {
    const namespace = await import(pathToFileURL(path).href);
    const names = Object.keys(namespace);
    const setExports = () => names.forEach((name) => module.setExport(name, namespace[name]));
    const module = new SyntheticModule(names, setExports, { identifier: path });
    await module.link(() => undefined);
    await module.evaluate();
    return module;
  }
}

// Jest requires it.
export { SharedModulesRuntime as 'module.exports' };

function sharedBelow(rootDir) {
  const product = ['libs', 'apps', 'tools'].map((folder) => rootDir + sep + folder + sep);
  return (path) => {
    if (/\.(json|spec\.ts)$/.test(path) || OF_JEST.test(path)) return false;
    return path.includes(`${sep}node_modules${sep}`) || product.some((folder) => path.startsWith(folder));
  };
}
