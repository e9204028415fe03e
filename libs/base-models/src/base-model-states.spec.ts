import type { BaseModelInfo } from '@heddle/engine';
import { BaseModelStates, pendingOf } from './base-model-states.js';

const info = (id: string): BaseModelInfo => ({
  id,
  family: 'llama',
  engine: 'embedded',
  contextLength: 8,
  parameters: 1,
  vocabularySize: 2,
  sampling: {},
  memoryBytes: 4,
  lora: { rank: 8, alpha: 16 },
  directory: '/nowhere',
});

describe('pendingOf', () => {
  it.each([
    [0, null, null],
    [0, 1000, 0],
    [999, 1000, 99],
    [1000, 1000, 100],
    [0, 0, 100],
  ])('%d bytes of %p are %p percent', (done, total, progress) => {
    const reason = 'the hub answers 503';
    expect(pendingOf({ state: 'downloading', done, total, reason })).toEqual({
      state: 'downloading',
      progress,
      reason,
    });
  });

  it('keeps of a failure its reason', () => {
    const failed = { state: 'failed' as const, reason: 'gated', at: 1, retryAt: null };
    expect(pendingOf(failed)).toEqual({ state: 'failed', progress: null, reason: 'gated' });
  });
});

describe('the states of base models', () => {
  const engine: BaseModelInfo[] = [];
  const states = new BaseModelStates(() => engine);

  beforeEach(() => {
    engine.splice(0, engine.length, info('b'));
    for (const id of ['a', 'b', 'c']) states.settle(id);
  });

  it('are ready for what the engine has, whatever was written down', () => {
    states.set('b', { state: 'failed', progress: null, reason: 'it was so' });
    expect(states.get('b')).toEqual({ id: 'b', state: 'ready', progress: null, reason: null, info: info('b') });
  });

  it('are what was written down for the others, and nothing for what nobody knows', () => {
    states.set('a', { state: 'downloading', progress: 7, reason: null });
    expect(states.get('a')).toEqual({ id: 'a', state: 'downloading', progress: 7, reason: null, info: null });
    expect(states.get('c')).toBeNull();
  });

  it('come by name, each once', () => {
    for (const id of ['c', 'b', 'a']) states.set(id, { state: 'failed', progress: null, reason: 'x' });
    expect(states.all().map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
