import { setImmediate as tick } from 'node:timers/promises';
import { EventWriter } from './event-writer.js';
import type { NewEvent } from './training-progress.repository.js';

const event = (position: number): NewEvent => ({ position, type: 'gradient_step', data: {} });

describe('EventWriter', () => {
  it('writes what gathers during a write with the next one, in order', async () => {
    const batches: number[][] = [];
    const writer = new EventWriter(async (events) => {
      batches.push(events.map(({ position }) => position));
      await tick();
    });
    for (let position = 1; position <= 4; position++) writer.add(event(position));
    await writer.drain();
    writer.add(event(5));
    await writer.drain();
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('fails whoever brings more after a write that failed, and whoever waits for the end', async () => {
    const writer = new EventWriter(async () => {
      throw new Error('no database');
    });
    writer.add(event(1));
    await expect(writer.drain()).rejects.toThrow('no database');
    expect(() => writer.add(event(2))).toThrow('no database');
    await expect(writer.drain()).rejects.toThrow('no database');
  });

  it('has nothing to wait for where nothing came', async () => {
    await new EventWriter(async () => {
      throw new Error('not asked');
    }).drain();
  });
});
