// API and worker as processes of their own, and a client of the training API.
import { startServer } from '../support/server.mjs';
import { startWorker } from '../automations/processes.mjs';

const BASE = 'heddle/shuttle-1m';

export async function startService() {
  const server = await startServer();
  const key = Buffer.from(server.authorization.slice('Basic '.length), 'base64').toString().slice('api:'.length);
  const worker = await startWorker({ DATABASE_URL: server.postgres.url, DATA_DIR: server.dataDir });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = async (method, path, body) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${server.url}/v1/${path}`, { method, headers, body: sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  return {
    ...server,
    call,
    headers,
    register: (name) =>
      call('POST', 'preview/models', { entity: null, project: 'bench', name, base_model: BASE, return_existing: true }),
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
      await worker.stop();
      await server.stop();
    },
  };
}
