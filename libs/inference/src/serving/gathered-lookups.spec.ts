import { GatheredLookups } from './gathered-lookups.js';

/** A source whose answers come when the test says so: the value that it had when it was asked. */
class Source {
  value = 'old';
  asked = 0;
  private readonly waiting: (() => void)[] = [];

  readonly lookUp = (): Promise<string> => {
    this.asked++;
    const read = this.value;
    return new Promise((resolve, reject) =>
      this.waiting.push(() => (read === 'bad' ? reject(new Error()) : resolve(read))),
    );
  };

  async answer(): Promise<void> {
    this.waiting.shift()!();
    await new Promise(setImmediate);
  }
}

describe('GatheredLookups', () => {
  let source: Source;
  let lookups: GatheredLookups<string>;
  const ask = (key = 'a') => lookups.get(key, source.lookUp);
  beforeEach(() => {
    source = new Source();
    lookups = new GatheredLookups();
  });

  it('asks a second time for all who came during the first', async () => {
    const answers = [ask(), ask(), ask(), ask()];
    expect(source.asked).toBe(1);
    await source.answer();
    expect(source.asked).toBe(2);
    await source.answer();
    expect(await Promise.all(answers)).toEqual(['old', 'old', 'old', 'old']);
  });

  it('never answers with what was read before the question', async () => {
    const before = ask();
    source.value = 'new';
    const after = ask();
    await source.answer();
    await source.answer();
    expect([await before, await after]).toEqual(['old', 'new']);
  });

  it('lets each key wait for its own answers only, and remembers nothing', async () => {
    const answers = [ask('a'), ask('b')];
    expect(source.asked).toBe(2);
    await source.answer();
    await source.answer();
    await Promise.all(answers);
    void ask('a');
    expect(source.asked).toBe(3);
  });

  it('asks again after a failure, which only those get who waited for it', async () => {
    source.value = 'bad';
    const failing = ask();
    source.value = 'good';
    const waiting = ask();
    const outcome = expect(failing).rejects.toThrow();
    await source.answer();
    await source.answer();
    await outcome;
    expect(await waiting).toBe('good');
  });
});
