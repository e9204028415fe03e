import { type GivenProject, type PruningWorker, RetentionSystem } from './retention-system.js';

const BATCH_CALLS = 1000;

describe('retention of calls', () => {
  let system: RetentionSystem;
  let worker: PruningWorker;

  beforeEach(async () => {
    system = await RetentionSystem.start();
    worker = await system.worker(0);
  });
  afterEach(() => system.close());

  const given = async (retentionDays: number | null): Promise<GivenProject> => {
    const project = await system.project(retentionDays);
    await project.call('fresh', { startedAgo: 1 });
    await project.call('old', { startedAgo: 10.1 });
    return project;
  };

  it('keeps calls for as many days as their project says, by when they started', async () => {
    const [tenDays, elevenDays] = [await given(10), await given(11)];
    await worker.prune();
    expect(await tenDays.left()).toEqual(['fresh']);
    expect(await elevenDays.left()).toEqual(['fresh', 'old']);
  });

  it('keeps those of a project that says nothing for as long as the instance says', async () => {
    const [silent, forEver] = [await given(null), await given(0)];
    await worker.prune();
    expect(await silent.left()).toEqual(['fresh', 'old']);
    await (await system.worker(10)).prune();
    expect([await silent.left(), await forEver.left()]).toEqual([['fresh'], ['fresh', 'old']]);
  });

  it('goes by when it came for a call whose start never did, and by nothing else for all others', async () => {
    const project = await system.project(10);
    await project.call('old end', { startedAgo: null, createdAgo: 11 });
    await project.call('fresh end', { startedAgo: null, createdAgo: 9 });
    await project.call('imported yesterday, started long ago', { startedAgo: 11, createdAgo: 1 });
    await project.call('started in the future', { startedAgo: -1, createdAgo: 11 });
    await worker.prune();
    expect(await project.left()).toEqual(['fresh end', 'started in the future']);
  });

  it('takes what was said about a call with it, and nothing that was said elsewhere', async () => {
    const [project, other] = [await given(10), await given(0)];
    await project.feedback('of old', project.callRef('old'));
    await project.feedback('of old, too', project.callRef('old'));
    await project.feedback('of fresh', project.callRef('fresh'));
    await project.feedback('of an object', `weave:///${project.name}/object/old:v0`);
    await other.feedback("of the other project's old", other.callRef('old'));
    expect(await worker.prune()).toEqual({ calls: 1, feedback: 2 });
    expect(await project.left('feedback')).toEqual(['of an object', 'of fresh']);
    expect(await other.left('feedback')).toHaveLength(1);
  });

  it('removes for good what was deleted more than 30 days ago, also where calls stay for ever', async () => {
    const project = await system.project(0);
    await project.call('deleted long ago', { startedAgo: 50, deletedAgo: 31 });
    await project.call('deleted lately', { startedAgo: 50, deletedAgo: 29 });
    await project.call('never deleted', { startedAgo: 50 });
    await project.feedback('of deleted', project.callRef('deleted long ago'));
    expect(await worker.prune()).toEqual({ calls: 1, feedback: 1 });
    expect(await project.left()).toEqual(['deleted lately', 'never deleted']);
  });

  it('is a job that every worker runs', async () => {
    const project = await given(10);
    await system.runJob('prune-calls');
    expect(await project.left()).toEqual(['fresh']);
  });

  describe('with more calls than a batch', () => {
    const COUNT = 3 * BATCH_CALLS + 1;

    /** Deletions of the calls table, by how many rows each statement took. */
    const watchStatements = (): Promise<unknown> =>
      system.database.pool.query(`
        CREATE TABLE statements (calls int);
        CREATE FUNCTION note_statement() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN INSERT INTO statements SELECT count(*) FROM gone; RETURN NULL; END $$;
        CREATE TRIGGER note_statement AFTER DELETE ON calls REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION note_statement()`);
    const statements = async (): Promise<number[]> => {
      const sql = 'SELECT calls FROM statements WHERE calls > 0 ORDER BY calls';
      return (await system.database.pool.query<{ calls: number }>(sql)).rows.map(({ calls }) => calls);
    };

    it('deletes them in batches, all in one run', async () => {
      const project = await system.project(10);
      await project.calls(COUNT, 11);
      await watchStatements();
      expect(await worker.prune()).toMatchObject({ calls: COUNT });
      expect(await statements()).toEqual([1, BATCH_CALLS, BATCH_CALLS, BATCH_CALLS]);
      expect(await project.left()).toEqual([]);
    });

    it('shares the work between two workers, each call deleted once', async () => {
      const project = await system.project(10);
      await project.calls(COUNT, 11);
      const second = await system.worker(0);
      const pruned = await Promise.all([worker.prune(), second.prune()]);
      expect(pruned.map(({ calls }) => calls).reduce((a, b) => a + b)).toBe(COUNT);
      expect(await project.left()).toEqual([]);
    });

    it('leaves a call that somebody is writing to, without waiting for them, for the next run', async () => {
      const project = await system.project(10);
      await project.calls(COUNT, 11);
      const writer = await system.database.pool.connect();
      await writer.query("BEGIN; SELECT FROM calls WHERE id IN ('call-1', 'call-2') FOR UPDATE");
      await worker.prune();
      await writer.query('COMMIT');
      writer.release();
      expect(await project.left()).toEqual(['call-1', 'call-2']);
      await worker.prune();
      expect(await project.left()).toEqual([]);
    });

    it('stops before its next batch when the worker does, and goes on with the next run', async () => {
      const project = await system.project(10);
      await project.calls(COUNT, 11);
      const stopped = await system.worker(0);
      const locker = await system.database.pool.connect();
      await locker.query('BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE');
      const run = stopped.prune();
      await system.untilOneWaits();
      const stop = stopped.stop();
      await locker.query('COMMIT');
      locker.release();
      await Promise.all([run, stop]);
      expect((await project.left()).length).toBe(COUNT);
      await worker.prune();
      expect(await project.left()).toEqual([]);
    });
  });
});
