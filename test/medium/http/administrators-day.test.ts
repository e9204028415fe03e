import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PARTS } from '../../../apps/api/src/docs/docs-parts.js';
import { eventually } from '../../support/eventually.js';
import { Administrator } from './administrator.js';
import { type ApiDocument, type SwaggerRequest, swaggerRequests } from './swagger-requests.js';

/** The part that the page opens with, and what administrators see of training. */
const TAGS = [...PARTS['Administration']!, 'runs'];
/** As the built API serves it (test/architecture/openapi.test.ts): the examples are comments, which only the build reads. */
const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;

const requests = swaggerRequests(document).filter(({ tag }) => TAGS.includes(tag));
const operationOf = ({ method, template }: SwaggerRequest): string => `${method} ${template}`;
const shownFirst = requests.filter((request, index) => {
  return requests.findIndex((each) => operationOf(each) === operationOf(request)) === index;
});
const isDeletion = ({ method }: SwaggerRequest): boolean => method === 'DELETE';
const DRAFTS = '/v1/projects/{entity}/{project}/artifacts/{collection}/drafts';
const DRAFT = [`POST ${DRAFTS}`, `PUT ${DRAFTS}/{draft}/files/{path}`];

interface Dispatch {
  client_payload?: { artifact_version_string: string };
}

describe('The examples of administrators, sent one after the other to a server that nobody has used', () => {
  let administrator: Administrator;
  beforeAll(async () => {
    administrator = await Administrator.start();
  });
  afterAll(() => administrator.close());

  it('make up a whole day', () => {
    expect([...new Set(requests.map(({ tag }) => tag))]).toEqual([
      ...['accounts', 'projects', 'registries', 'secrets', 'webhooks', 'automations', 'artifacts', 'releases'],
      ...['deliveries', 'archives', 'runs', 'health'],
    ]);
  });

  it('succeed as the page shows them, from the first user to the last run', async () => {
    expect(await administrator.send(shownFirst.filter((request) => !isDeletion(request)))).toEqual([]);
  });

  it('tell the receiver what was promoted', async () => {
    const told = () => administrator.receiver.requests.map(({ body }) => JSON.parse(body.toString()) as Dispatch);
    await eventually(told, (all) =>
      all.some((each) => each.client_payload?.artifact_version_string === 'weavers/releases/chat-model:production'),
    );
  });

  it('take everything away again, from the bottom up', async () => {
    // What was committed is a draft no more.
    const draft = shownFirst.filter((request) => DRAFT.includes(operationOf(request)));
    expect(await administrator.send(draft)).toEqual([]);
    expect(await administrator.send(shownFirst.filter(isDeletion).reverse())).toEqual([]);
  });
});

describe('All examples that there are to choose from', () => {
  it('succeed, in this order', async () => {
    const administrator = await Administrator.start();
    expect(await administrator.send(requests.filter((request) => !isDeletion(request)))).toEqual([]);
    await administrator.close();
  });
});
