import { join } from 'node:path';
import type { Env } from '@heddle/config';
import { startEmbeddedPostgres } from '@heddle/embedded-postgres';

/** Works with the database of the settings: an external one, or the embedded one, which is started if it doesn't run. */
export async function withDatabase(
  { directDatabaseUrl }: Env,
  dataDir: string,
  say: (line: string) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (directDatabaseUrl) return work(directDatabaseUrl);
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: say });
  try {
    await work(server.url);
  } finally {
    await server.stop();
  }
}
