import { DatabaseUnusableError, migrate } from '@heddle/database';
import { runService } from '@heddle/process';
import { prepareQueues } from '@heddle/queues';
import { createWorker } from './create-worker.js';

await runService('worker', { portSetting: 'WORKER_PORT', drains: false }, async (env) => {
  if (!env.directDatabaseUrl) throw new DatabaseUnusableError('DATABASE_URL is not set');
  await migrate(env.directDatabaseUrl);
  await prepareQueues(env);
  const app = await createWorker(env);
  await app.listen(env.WORKER_PORT, env.HOST);
  return { app, url: await app.getUrl() };
});
