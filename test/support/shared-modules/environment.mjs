import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';

// What `expect.any` and the like compare with.
const SHARED = [
  ...[
    'Array',
    'BigInt',
    'Boolean',
    'Date',
    'Function',
    'Map',
    'Number',
    'Object',
    'Promise',
    'RegExp',
    'Set',
    'String',
  ],
  ...['Symbol', 'Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
];

/** Jest's own modules know the language's classes as tests do; the clock that a test sets is that of its process. */
export default class SharedModulesEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of SHARED) this.global[name] = globalThis[name];
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }
}
