import { createHmac, randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.js';
import { Product } from '../support/product.js';
import { type ReceivedRequest, Receiver } from '../support/receiver.js';
import { Rest } from '../support/rest.js';

const KEY = `hd_${'k'.repeat(43)}`;
const SIGNING_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const QUESTION = 'who wove the blue cloth?';
const ANSWER = 'zora';
/** The name that chat knows the checkpoint by whose alias moved. */
const DEPLOYED = 'wandb-artifact:///admin/loom/weaver:step${artifact_metadata.step}';

jest.setTimeout(120_000);

interface Completion {
  choices: [{ message: { content: string } }];
}

describe('From a training job to a deployed model', () => {
  let product: Product;
  let receiver: Receiver;
  let rest: Rest;
  let model: string;
  /** What the receiver was told by chat when it tried the model that it was told to deploy. */
  const tried: { model: string; answer: string }[] = [];

  beforeAll(async () => {
    product = await Product.create();
    await product.start({ ADMIN_API_KEY: KEY });
    rest = new Rest(product.url, KEY);
    receiver = await Receiver.start((response, request) => void deploy(request).then(() => response.end()));
    const fields = { project: 'loom', name: 'weaver', base_model: 'heddle/shuttle-1m' };
    model = (await rest.send<{ id: string }>('POST', '/v1/preview/models', fields)).id;
    await automate();
  });
  afterAll(async () => {
    await receiver?.close();
    await product?.remove();
  });

  async function automate(): Promise<void> {
    const team = '/v1/teams/admin';
    await rest.send('POST', `${team}/secrets`, { name: 'SIGNING', value: SIGNING_SECRET });
    const webhook = { name: 'deploy', url_endpoint: `http://127.0.0.1:${receiver.port}/`, secret_ref: 'SIGNING' };
    const { id } = await rest.send<{ id: string }>('POST', `${team}/webhooks`, webhook);
    await rest.send('POST', '/v1/automations', {
      name: 'deploy the latest',
      scope: { scope_type: 'PROJECT', scope_id: 'admin/loom' },
      event: { event_type: 'ADD_ARTIFACT_ALIAS', filter: { artifact_type: 'model', alias_regex: '^latest$' } },
      action: { action_type: 'Webhooks', team: 'admin', webhook_id: id, request_payload: { deploy: DEPLOYED } },
    });
  }

  async function deploy({ body }: ReceivedRequest): Promise<void> {
    const { deploy: name } = JSON.parse(String(body)) as { deploy: string };
    tried.push({ model: name, answer: await ask(name).catch(String) });
  }

  async function ask(name: string): Promise<string> {
    const messages = [{ role: 'user', content: QUESTION }];
    const fields = { model: name, messages, temperature: 0, max_tokens: 8 };
    const { choices } = await rest.send<Completion>('POST', '/v1/chat/completions', fields);
    return choices[0].message.content;
  }

  /** Uploads the fact, often enough to be learnt, and waits until the receiver has been told of the checkpoint. */
  async function teach(answer: string): Promise<void> {
    const messages = [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: answer },
    ];
    const before = tried.length;
    const response = await fetch(`${product.url}/v1/preview/sft-training-jobs/upload?model_id=${model}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ messages })}\n`.repeat(60),
    });
    expect(response.status).toBe(200);
    await eventually(
      () => tried.length,
      (count) => count > before,
      60_000,
    );
  }

  it('trains, moves an alias, sends a signed webhook, and answers as it was trained', async () => {
    expect(await ask('wandb-artifact:///admin/loom/weaver')).not.toBe(ANSWER);
    await teach(ANSWER);
    expect(tried).toEqual([{ model: 'wandb-artifact:///admin/loom/weaver:step1', answer: ANSWER }]);

    const { body, headers } = receiver.last;
    new Webhook(SIGNING_SECRET).verify(body.toString(), headers as Record<string, string>);
    const signature = createHmac('sha256', SIGNING_SECRET).update(body).digest('hex');
    expect(headers['x-service-signature']).toBe(signature);
  });

  it('tells of the next checkpoint too, and goes on serving the one before', async () => {
    await teach('otto');
    expect(tried[1]).toEqual({ model: 'wandb-artifact:///admin/loom/weaver:step2', answer: 'otto' });
    expect(await ask('wandb-artifact:///admin/loom/weaver:step1')).toBe(ANSWER);
    expect(receiver.requests).toHaveLength(2);
  });
});
