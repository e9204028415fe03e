import { Env } from '@heddle/config';
import { ClientLeftError } from '@heddle/http';
import { QueryLimits } from './query.limits.js';
import { QuerySlots } from './query.slots.js';
import { TooManyQueriesError } from './query.errors.js';

const slotsOf = (connections: number, waitMs = 60_000): QuerySlots =>
  new QuerySlots(Object.assign(new QueryLimits(new Env()), { connections, waitMs }));
const present = (): AbortSignal => new AbortController().signal;

describe('QuerySlots', () => {
  it('gives a freed slot to the first in line', async () => {
    const slots = slotsOf(1);
    const order: string[] = [];
    const giveBack = await slots.take(present());
    const waiting = ['first', 'second'].map(async (name) => {
      const done = await slots.take(present());
      order.push(name);
      done();
    });
    expect(order).toEqual([]);
    giveBack();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
  });

  it('refuses who waited too long, and loses no slot by that', async () => {
    const slots = slotsOf(1, 1);
    const giveBack = await slots.take(present());
    await expect(slots.take(present())).rejects.toThrow(TooManyQueriesError);
    giveBack();
    (await slots.take(present()))();
  });

  it('forgets a client that left the line', async () => {
    const slots = slotsOf(1);
    const giveBack = await slots.take(present());
    const client = new AbortController();
    const waiting = slots.take(client.signal);
    client.abort();
    await expect(waiting).rejects.toThrow(ClientLeftError);
    const next = slots.take(present());
    giveBack();
    (await next)();
  });
});
