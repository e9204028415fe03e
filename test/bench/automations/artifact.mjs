// A version of an artifact whose aliases a bench moves, over the API.
import { Agent, request } from 'node:http';

/** @returns {Promise<{ addAlias(alias: string): Promise<void>, close(): void }>} */
export async function givenVersion(server, project) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const key = Buffer.from(server.authorization.replace('Basic ', ''), 'base64').toString().replace('api:', '');
  const artifacts = `/v1/projects/${project}/artifacts`;
  const send = (method, path, body = '') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body) };
      const sent = request(server.url + path, { method, agent, headers }, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode < 300) resolve();
          else reject(new Error(`${method} ${path} answered ${response.statusCode}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  await send('POST', artifacts, JSON.stringify({ name: 'agent', type: 'model' }));
  await send('POST', `${artifacts}/agent/versions`, JSON.stringify({ metadata: { accuracy: 0.93 } }));
  return {
    addAlias: (alias) => send('PUT', `${artifacts}/agent/versions/v0/aliases/${alias}`),
    close: () => agent.destroy(),
  };
}
