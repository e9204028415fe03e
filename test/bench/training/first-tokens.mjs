import { median, p99 } from '../support/quantile.mjs';

const ROUNDS = 200;

/** Milliseconds from sending a request to the first piece of its answer, with so many streams at once. */
export async function measureFirstTokens(service, counts) {
  const model = await service.register('first-tokens');
  const name = `wandb-artifact:///${model.entity}/${model.project}/${model.name}`;
  const rows = [];
  await firstToken(service, name, 0);
  for (const count of counts) {
    const times = [];
    let next = 0;
    const stream = async () => {
      while (next < ROUNDS) times.push(await firstToken(service, name, next++));
    };
    await Promise.all(Array.from({ length: count }, stream));
    rows.push([count, median(times), p99(times)]);
  }
  return rows;
}

async function firstToken(service, model, seed) {
  const messages = [{ role: 'user', content: `What comes after ${seed % 50}?` }];
  const body = JSON.stringify({ model, messages, stream: true, max_tokens: 24, ignore_eos: true, seed });
  const start = performance.now();
  const response = await fetch(`${service.url}/v1/chat/completions`, {
    method: 'POST',
    headers: service.headers,
    body,
  });
  let first;
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    // The first chunk of all names the role only.
    if (first === undefined && /"content":"[^"]/.test(text)) first = performance.now() - start;
  }
  if (first === undefined) throw new Error(`no token: ${text.slice(0, 500)}`);
  return first;
}
