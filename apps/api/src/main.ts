import { FirstAdminService } from '@heddle/accounts';
import { DatabaseUnusableError, migrate } from '@heddle/database';
import { runService } from '@heddle/process';
import { prepareQueues } from '@heddle/queues';
import { createApi } from './create-api.js';

await runService('api', { portSetting: 'PORT', drains: true }, async (env) => {
  if (!env.directDatabaseUrl) throw new DatabaseUnusableError('DATABASE_URL is not set');
  await migrate(env.directDatabaseUrl);
  await prepareQueues(env);
  const app = await createApi(env);
  const { createdKey } = await app.get(FirstAdminService).ensure();
  await app.listen(env.PORT, env.HOST);
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  // A parent prints the key with its greeting; without one it goes to standard error, since standard output is the log.
  if (createdKey && !process.send)
    process.stderr.write(`First administrator's API key (shown this once): ${createdKey}\n`);
  return { app, url, ...(createdKey ? { adminKey: createdKey } : {}) };
});
