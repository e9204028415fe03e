// API and worker as processes of their own, and a client of the training API.
import { httpClient } from '../support/http-client.mjs';
import { startServer } from '../support/server.mjs';
import { startWorker } from '../automations/processes.mjs';

const BASE = 'heddle/shuttle-1m';

/** @param settings of both, by their names in the environment */
export async function startService(settings = {}) {
  const server = await startServer({ settings });
  const key = Buffer.from(server.authorization.slice('Basic '.length), 'base64').toString().slice('api:'.length);
  const worker = await startWorker({ DATABASE_URL: server.postgres.url, DATA_DIR: server.dataDir, ...settings });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const client = httpClient(server.url, headers.authorization, { connections: 1000 });
  const call = async (method, path, body) =>
    JSON.parse(await client.send(method, `/v1/${path}`, typeof body === 'string' ? body : JSON.stringify(body)));
  return {
    ...server,
    call,
    headers,
    register: (name, base_model = BASE) =>
      call('POST', 'preview/models', { entity: null, project: 'bench', name, base_model, return_existing: true }),
    /** Follows a job; resolves to its events once it has ended. */
    follow: async (id, until = 'training_ended') => {
      const accept = { ...headers, accept: 'text/event-stream' };
      const response = await fetch(`${server.url}/v1/preview/training-jobs/${id}/events`, { headers: accept });
      let text = '';
      for await (const chunk of response.body) {
        text += Buffer.from(chunk).toString();
        if (text.includes('training_failed')) throw new Error(text);
        if (text.includes(until)) break;
      }
      return text;
    },
    stop: async () => {
      client.close();
      await worker.stop();
      await server.stop();
    },
  };
}
