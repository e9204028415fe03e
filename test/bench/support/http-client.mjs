import { Agent, request } from 'node:http';

/**
 * A client with one connection, or as many as there are requests at once, which stay open as long as requests follow each
 * other. Not `fetch`, which takes more of the processor than what it asks.
 */
export function httpClient(url, authorization, { connections = 1, headers: more = {} } = {}) {
  // The server closes idle connections after five seconds: we do before.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections, timeout: 3000 });
  /** @returns {Promise<string>} the answer's text; what is no success is an error */
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sized = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const headers = { ...(authorization && { authorization }), ...sized, ...more };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode >= 200 && response.statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { send, post: (path, body) => send('POST', path, body), close: () => agent.destroy() };
}
