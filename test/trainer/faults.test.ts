import { readdir } from 'node:fs/promises';
import type { Engines } from '@heddle/engine';
import { adapterFolder } from '../medium/engine/engine.js';
import { type Fault, FaultProxy } from './fault-proxy.js';
import { answerOf, eventsOf, fact, PATIENT, remoteEngine, request, trainerUrl } from './trainer.js';

const DONE = ['started', 'step', 'ended'];

describe('a server that trains, on a bad day', () => {
  let proxy: FaultProxy;
  let engine: Engines;
  let folder: Awaited<ReturnType<typeof adapterFolder>>;
  let count = 0;
  const train = async (to: string) => (await eventsOf(engine.train(request(fact(1), to)))).map(({ type }) => type);
  const fresh = (): string => folder.path(`adapter-${count++}`);

  beforeAll(async () => {
    proxy = await FaultProxy.start(trainerUrl());
    engine = await remoteEngine(proxy.url, 60_000);
    folder = await adapterFolder();
    // What is compiled once is fast from then on.
    await train(fresh());
  }, PATIENT);

  afterEach(() => proxy.heal());

  afterAll(async () => {
    await engine.close();
    await proxy.stop();
    await folder.remove();
  });

  it('is known to be there, or not, before anything is asked of it', async () => {
    const [trainer] = engine.servers();
    await trainer!.ask(5000);
    proxy.spoil(/healthz/, { kind: 'hang' }, 1);
    await expect(trainer!.ask(200)).rejects.toMatchObject({ code: 'unavailable' });
    proxy.spoil(/capabilities/, { kind: 'status', status: 401 }, 1);
    await expect(trainer!.ask(5000)).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it.each<[string, RegExp, Fault]>([
    ['an overload', /forward_backward|optim_step/, { kind: 'status', status: 429 }],
    ['a connection that breaks while a result is waited for', /retrieve_future/, { kind: 'cut', when: 'after' }],
    ['a result that is not ready', /retrieve_future/, { kind: 'status', status: 408 }],
    [
      'a result that is to be asked for again',
      /retrieve_future/,
      { kind: 'status', status: 200, body: { type: 'try_again' } },
    ],
    ['a failure that passes while a result is waited for', /retrieve_future/, { kind: 'status', status: 503 }],
    ['a forward pass that may be asked for twice', /forward$/, { kind: 'cut', when: 'after' }],
    [
      'a server that is full',
      /retrieve_future/,
      { kind: 'status', status: 400, body: { detail: 'Maximum number of LoRA adapters (8) reached' } },
    ],
    ['heartbeats that are lost', /heartbeat/, { kind: 'hang' }],
  ])(
    'waits out %s',
    async (_, path, fault) => {
      proxy.spoil(path, fault, 2);
      expect(await train(fresh())).toEqual(DONE);
    },
    120_000,
  );

  it.each<[string, RegExp, Fault, object]>([
    [
      'a gradient that may have been added',
      /forward_backward/,
      { kind: 'cut', when: 'after' },
      { code: 'unavailable' },
    ],
    [
      'a key that is refused',
      /create_session/,
      { kind: 'status', status: 401 },
      { message: expect.stringMatching(/refuses the key/) },
    ],
    ['a future that is lost', /retrieve_future/, { kind: 'status', status: 410 }, { code: 'unavailable' }],
    [
      'a refusal, in its words',
      /create_model/,
      { kind: 'status', status: 422, body: { detail: 'rank too big' } },
      { code: 'bad_answer', message: expect.stringMatching(/422: rank too big/) },
    ],
    [
      'an operation that failed there',
      /retrieve_future/,
      { kind: 'status', status: 200, body: { error: 'out of memory', category: 'server' } },
      { code: 'unavailable', message: expect.stringMatching(/out of memory/) },
    ],
    [
      'log probabilities of other sequences',
      /retrieve_future/,
      { kind: 'lie', lie: (answer) => ({ ...(answer as object), loss_fn_outputs: [{ logprobs: { data: [-1] } }] }) },
      { code: 'bad_answer' },
    ],
    [
      'log probabilities that are none',
      /retrieve_future/,
      { kind: 'lie', lie: (answer) => JSON.stringify(answer).replace(/"data":\[-[\d.e-]+/g, '"data":[-1e999') },
      { code: 'bad_answer', message: expect.stringMatching(/not finite/) },
    ],
    ['a page instead of an answer', /create_session/, { kind: 'lie', lie: () => '<html>' }, { code: 'bad_answer' }],
    ['an archive that is cut', /archive|download/, { kind: 'half', bytes: 5000 }, { code: 'unavailable' }],
    ['an archive that is none', /archive|download/, { kind: 'status', status: 200, body: 'x' }, { code: 'bad_answer' }],
  ])(
    'ends with its reason after %s, and leaves nothing behind',
    async (_, path, fault, error) => {
      const to = fresh();
      proxy.spoil(path, fault);
      await expect(train(to)).rejects.toMatchObject(error);
      await expect(readdir(to)).rejects.toThrow('ENOENT');
      expect((await readdir(folder.path('.'))).filter((name) => name.includes('partial'))).toEqual([]);
      proxy.heal();
      expect(await train(fresh())).toEqual(DONE);
    },
    180_000,
  );

  it('gives up on a server that never answers, when the time of an operation is over', async () => {
    const hasty = await remoteEngine(proxy.url, 3000);
    proxy.spoil(/retrieve_future/, { kind: 'hang' });
    const job = eventsOf(hasty.train(request(fact(1), fresh())));
    await expect(job).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/not done within 3 s/),
    });
    await hasty.close();
  }, 60_000);

  it('answers nothing instead of half a sample', async () => {
    proxy.spoil(/retrieve_future/, {
      kind: 'lie',
      lie: (answer) => ({ ...(answer as object), sequences: [{ tokens: [1, 2], logprobs: [-1] }] }),
    });
    await expect(answerOf(engine, null, 'x')).rejects.toMatchObject({ code: 'bad_answer' });
  }, 60_000);
});
