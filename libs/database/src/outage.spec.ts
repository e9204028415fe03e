import { QueryFailedError } from 'typeorm';
import { isOutage, isStorageFull, waitOut } from './outage.js';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), code && { code });

describe('isOutage', () => {
  it.each([
    ['a refused connection', failure('connect ECONNREFUSED', 'ECONNREFUSED')],
    ['a reset connection', failure('read ECONNRESET', 'ECONNRESET')],
    ['a lost connection, of which the driver gives no code', failure('Connection terminated unexpectedly')],
    ['a pool that gets no connection', failure('timeout exceeded when trying to connect')],
    ['a server that shuts down', failure('terminating connection due to administrator command', '57P01')],
    ['a server that starts up', failure('the database system is starting up', '57P03')],
    ['a server with too many clients', failure('sorry, too many clients already', '53300')],
    ['a connection failure of its own', failure('connection failure', '08006')],
    ['a standby that was a primary', failure('cannot execute UPDATE in a read-only transaction', '25006')],
    ['a deadlock', failure('deadlock detected', '40P01')],
    ['a statement that ran into its limit', failure('canceling statement due to statement timeout', '57014')],
    ['any of these within an error of TypeORM', new QueryFailedError('SELECT', [], failure('x', '57P01'))],
    ['any of these as a cause', new Error('no', { cause: failure('x', 'ECONNRESET') })],
  ])('is %s', (_, error) => expect(isOutage(error)).toBe(true));

  it.each([
    ['a duplicate', failure('duplicate key value', '23505')],
    ['a syntax error', new QueryFailedError('SELEC', [], failure('syntax error', '42601'))],
    ['an error of ours', new TypeError('undefined is not a function')],
    ['what is no error', 'ECONNRESET'],
    ['a full disk, which somebody has to look at', failure('could not extend file', '53100')],
  ])('is not %s', (_, error) => expect(isOutage(error)).toBe(false));
});

describe('isStorageFull', () => {
  it.each([
    ['of the database', failure('could not extend file', '53100')],
    ['of the file system', failure('write', 'ENOSPC')],
    ['of a quota', failure('write', 'EDQUOT')],
    ['within an error of TypeORM', new QueryFailedError('INSERT', [], failure('x', '53100'))],
    ['as a cause', new Error('no', { cause: failure('write', 'ENOSPC') })],
  ])('is no room %s', (_, error) => expect(isStorageFull(error)).toBe(true));

  it.each([
    ['a lost connection', failure('x', '08006')],
    ['a file that is not there', failure('x', 'ENOENT')],
    ['what is no error', 'ENOSPC'],
  ])('is not %s', (_, error) => expect(isStorageFull(error)).toBe(false));
});

describe('waitOut', () => {
  /** Fails so often, then answers. */
  const failing = (times: number, error: Error) => {
    let calls = 0;
    return { work: async () => (calls++ < times ? Promise.reject(error) : 'done'), calls: () => calls };
  };

  it('does it again until the database is back', async () => {
    const { work, calls } = failing(3, failure('x', 'ECONNREFUSED'));
    expect(await waitOut(work)).toBe('done');
    expect(calls()).toBe(4);
  });

  it('leaves every other failure alone', async () => {
    const { work, calls } = failing(1, failure('x', '23505'));
    await expect(waitOut(work)).rejects.toMatchObject({ code: '23505' });
    expect(calls()).toBe(1);
  });

  it('gives up with the failure itself once nobody waits any more', async () => {
    const { work } = failing(Infinity, failure('x', 'ECONNREFUSED'));
    const controller = new AbortController();
    const waiting = waitOut(work, controller.signal);
    controller.abort('stopping');
    await expect(waiting).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(waitOut(work, controller.signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
