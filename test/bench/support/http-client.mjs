import { Agent, request } from 'node:http';

/** A client with one connection, which stays open as long as requests follow each other. */
export function httpClient(url, authorization) {
  // The server closes idle connections after five seconds: we do before.
  const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 3000 });
  return {
    /** @returns {Promise<string>} the answer's text; anything but 200 is an error */
    post: (path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization, 'content-type': 'application/json', 'content-length': body.length };
        const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
          });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
