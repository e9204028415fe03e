import { jest } from '@jest/globals';
import { OVERTAKING_MS, WaitingLine } from './waiting-line.js';

describe('WaitingLine', () => {
  let time = 0;
  const changed = jest.fn();
  const line = () => new WaitingLine<string>(changed, () => time);
  beforeEach(() => {
    time = 0;
    changed.mockClear();
  });

  it('lets others overtake for a moment, and no longer', () => {
    const waiting = line();
    const first = waiting.join('a');
    const second = waiting.join('b');
    expect([first.isNext(), second.isNext()]).toEqual([true, true]);
    time = OVERTAKING_MS - 1;
    expect(second.isNext()).toBe(true);
    time = OVERTAKING_MS;
    expect([first.isNext(), second.isNext()]).toEqual([true, false]);
  });

  it('never lets those wait for each other who want the same', () => {
    const waiting = line();
    const [first, second, third] = [waiting.join('a'), waiting.join('a'), waiting.join('b')];
    time = OVERTAKING_MS;
    expect([first, second, third].map((place) => place.isNext())).toEqual([true, true, false]);
  });

  it('makes the next one next when somebody has what he waited for, or has given up', () => {
    const waiting = line();
    const [first, second, third] = [waiting.join('a'), waiting.join('b'), waiting.join('c')];
    time = OVERTAKING_MS;
    first.leave();
    expect(changed).toHaveBeenCalledTimes(1);
    expect([second.isNext(), third.isNext()]).toEqual([true, false]);
    first.leave();
    expect(changed).toHaveBeenCalledTimes(1);
  });
});
