import { DiskRoom } from './disk-room.js';

const RESERVE = 10;

describe('DiskRoom', () => {
  let free = 100;
  const room = new DiskRoom('/data', RESERVE, () => Promise.resolve(free));
  const unknown = new DiskRoom('/data', RESERVE, () => Promise.reject(new Error('statfs')));
  const fits = async (bytes: number): Promise<boolean> => {
    const promised = await room.promise(bytes);
    promised?.end();
    return promised !== null;
  };

  beforeEach(() => (free = 100));

  it('is all that is free but for the reserve', async () => {
    expect([await fits(90), await fits(91)]).toEqual([true, false]);
  });

  it('is not promised twice, and comes back unused', async () => {
    const first = (await room.promise(60))!;
    expect([await fits(30), await fits(31)]).toEqual([true, false]);
    first.end();
    first.end();
    expect(await fits(90)).toBe(true);
  });

  it('is promised to no more than fit, who all ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => room.promise(30)));
    expect(all.filter((promised) => promised !== null).length).toBeLessThanOrEqual(3);
    all.forEach((promised) => promised?.end());
    expect(await fits(90)).toBe(true);
  });

  it('counts once what lies on the disk already', async () => {
    const first = (await room.promise(60))!;
    first.written(40);
    free -= 40;
    expect([await fits(30), await fits(31)]).toEqual([true, false]);
    // More than was announced takes nobody else's promise away.
    first.written(100);
    first.end();
    expect([await fits(50), await fits(51)]).toEqual([true, false]);
  });

  it('is there where nobody can tell', async () => {
    expect(await unknown.promise(2 ** 50)).not.toBeNull();
  });
});
