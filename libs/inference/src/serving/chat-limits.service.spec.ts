import { Env } from '@heddle/config';
import { TooManyRequestsError } from '../inference.errors.js';
import { ChatLimitsService } from './chat-limits.service.js';

const [ada, bob, eve] = [{ userId: 'ada' }, { userId: 'bob' }, { userId: 'eve' }];
const [loom, web] = [{ id: 1 }, { id: 2 }];

describe('ChatLimitsService', () => {
  let limits: ChatLimitsService;
  beforeEach(() => {
    limits = new ChatLimitsService(Env.from({ CHAT_REQUESTS_PER_USER: '2', CHAT_REQUESTS_PER_PROJECT: '3' }));
  });

  it('gives each user so many places, whatever the model, and each again that is free', () => {
    const leave = limits.enter(ada, loom);
    limits.enter(ada, null);
    expect(() => limits.enter(ada, web)).toThrow(TooManyRequestsError);
    expect(() => limits.enter(bob, web)).not.toThrow();
    leave();
    expect(() => limits.enter(ada, web)).not.toThrow();
  });

  it('gives each project so many, and none to a user whom the project refuses', () => {
    for (const who of [ada, bob, eve]) limits.enter(who, loom);
    expect(() => limits.enter(eve, loom)).toThrow(TooManyRequestsError);
    limits.enter(eve, web);
    expect(() => limits.enter(eve, web)).toThrow(TooManyRequestsError);
  });

  it('has whoever waits enter in turn, and nobody who left meanwhile', async () => {
    const leave = [limits.enter(ada, loom), limits.enter(ada, loom)];
    const entered: string[] = [];
    const left = new AbortController();
    const wait = (name: string, signal = new AbortController().signal) =>
      limits.enterInTurn(ada, loom, signal).then((free) => {
        entered.push(name);
        return free;
      });
    const [first, gone, second] = [wait('first'), wait('gone', left.signal), wait('second')];
    left.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(entered).toEqual([]);
    leave[0]!();
    (await first)();
    await second;
    expect(entered).toEqual(['first', 'second']);
  });

  it('says in the words of the hosted service when to come back', () => {
    expect(new TooManyRequestsError()).toMatchObject({
      status: 429,
      message: 'Concurrency limit reached for requests',
      headers: { 'retry-after': '1' },
    });
  });
});
