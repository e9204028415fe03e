import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { ExportTraceServiceResponse, Resource, Span } from '../../../../libs/tracing/src/otel/otlp-messages.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { GivenUser } from '../../../support/given.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
let spanCounter = 0;

const aSpan = (change: object = {}): Record<string, unknown> & { spanId: string } => ({
  traceId: TRACE_ID,
  spanId: (++spanCounter).toString(16).padStart(16, '0'),
  name: 'chat',
  startTimeUnixNano: '1764244800123456789',
  endTimeUnixNano: '1764244801500000999',
  ...change,
});
const text = (key: string, value: string): object => ({ key, value: { stringValue: value } });
const resource = (entity: string, project: string): object => ({
  attributes: [text('wandb.entity', entity), text('wandb.project', project)],
});
const request = (spans: unknown[], ofResource?: object): object => ({
  resourceSpans: [{ resource: ofResource, scopeSpans: [{ scope: { name: 'test' }, spans }] }],
});

/** A length-delimited protobuf field. */
const message = (number: number, ...parts: Uint8Array[]): Buffer =>
  Buffer.from(
    protobuf.Writer.create()
      .uint32((number << 3) | 2)
      .bytes(Buffer.concat(parts))
      .finish(),
  );

describe('POST /otel/v1/traces', () => {
  let api: TestApi;
  let ada: GivenUser & { entity: string };
  let eve: GivenUser & { entity: string };
  let project: string;

  beforeAll(async () => {
    api = await startApi();
    ada = await api.given.member();
    eve = await api.given.member();
    project = `${ada.entity}/spans`;
  });
  afterAll(() => api.close());

  const post = (body: string | Uint8Array, headers: Record<string, string>, path = '/otel/v1/traces') =>
    fetch(`${api.url}${path}`, { method: 'POST', headers, body });
  const send = (body: object, headers: Record<string, string> = {}, path?: string) =>
    post(
      JSON.stringify(body),
      { ...ada.basic, project_id: project, 'content-type': 'application/json', ...headers },
      path,
    );
  const read = async (id: string, projectId = project): Promise<Record<string, unknown> | null> => {
    const body = JSON.stringify({ project_id: projectId, id });
    const response = await fetch(`${api.url}/call/read`, { method: 'POST', headers: ada.basic, body });
    return ((await response.json()) as { call: Record<string, unknown> | null }).call;
  };

  it.each(['/otel/v1/traces', '/traces/otel/v1/traces', '/agents/otel/v1/traces'])(
    'takes spans at %s',
    async (path) => {
      const span = aSpan({ parentSpanId: 'b7ad6b7169203331' });
      const response = await send(request([span]), {}, path);
      expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
        200,
        expect.stringContaining('application/json'),
        {},
      ]);
      expect(await read(span.spanId)).toMatchObject({
        project_id: project,
        trace_id: TRACE_ID,
        parent_id: 'b7ad6b7169203331',
        op_name: 'chat',
        started_at: '2025-11-27T12:00:00.123456Z',
        ended_at: '2025-11-27T12:00:01.500000Z',
        wb_user_id: ada.username,
        summary: { weave: { status: 'success', latency_ms: 1376, trace_name: 'chat' } },
        otel_dump: { ...span, scope: { name: 'test' } },
      });
    },
  );

  it('takes protobuf, compressed or not, and answers in it', async () => {
    const first = aSpan({
      attributes: [text('gen_ai.prompt.0.content', 'hi \u0000 🪡')],
      status: { code: 2, message: 'boom' },
    });
    const second = aSpan();
    const bytes = [first, second].map((span) =>
      Span.encode(
        Span.fromObject({ ...span, traceId: Buffer.from(TRACE_ID, 'hex'), spanId: Buffer.from(span.spanId, 'hex') }),
      ).finish(),
    );
    const named = Resource.encode(Resource.fromObject(resource(ada.entity, 'spans'))).finish();
    const body = message(1, message(1, named), message(2, ...bytes.map((span) => message(2, span))));
    const headers = { ...ada.basic, 'content-type': 'application/x-protobuf' };
    const plain = await post(body, headers);
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
    expect((await plain.arrayBuffer()).byteLength).toBe(0);
    expect((await post(gzipSync(body), { ...headers, 'content-encoding': 'gzip' })).status).toBe(200);
    expect(await read(first.spanId)).toMatchObject({
      exception: 'boom',
      inputs: { 'gen_ai.prompt': [{ content: 'hi \u0000 🪡' }] },
      otel_dump: { spanId: first.spanId, resource: resource(ada.entity, 'spans') },
    });
  });

  it('rejects bad spans one by one, in JSON', async () => {
    const [good, alsoGood] = [aSpan(), aSpan()];
    const response = await send(request([good, aSpan({ traceId: 'short' }), 'no span', alsoGood]));
    expect([response.status, await response.json()]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: '2', errorMessage: expect.stringContaining('traceId') as string } },
    ]);
    expect(await read(good.spanId)).not.toBeNull();
    expect(await read(alsoGood.spanId)).not.toBeNull();
  });

  it('takes attributes that are deep JSON, and leaves text what is too deep for a call', async () => {
    const nested = (levels: number): object =>
      aSpan({ attributes: [text('input', '['.repeat(levels) + ']'.repeat(levels))] });
    const deep = nested(10_000) as { spanId: string };
    const tooDeep = nested(99_999) as { spanId: string };
    expect(await (await send(request([tooDeep, deep]))).json()).toEqual({});
    expect(await read(tooDeep.spanId)).toMatchObject({
      inputs: { input: expect.stringMatching(/^\[+\]+$/) as string },
    });
    const body = JSON.stringify({ project_id: project, id: deep.spanId });
    const stored = await fetch(`${api.url}/call/read`, { method: 'POST', headers: ada.basic, body });
    expect(await stored.text()).toContain(`"inputs":{"input":${'['.repeat(10_000)}]`);
  });

  it('rejects bad spans one by one, in protobuf', async () => {
    const body = message(1, message(2, message(2, Buffer.from([0x0a, 0xff])), message(2)));
    const headers = { ...ada.basic, project_id: project, 'content-type': 'application/x-protobuf' };
    const response = await post(body, headers);
    expect(response.status).toBe(200);
    const answer = ExportTraceServiceResponse.decode(Buffer.from(await response.arrayBuffer()));
    expect(answer.toJSON()).toMatchObject({ partialSuccess: { rejectedSpans: '2' } });
  });

  it('lets the resource name the project, and the header where it does not', async () => {
    const [own, other] = [aSpan(), aSpan()];
    const groups = [request([own], resource(ada.entity, 'by resource')), request([other])] as {
      resourceSpans: object[];
    }[];
    const response = await send({ resourceSpans: groups.flatMap(({ resourceSpans }) => resourceSpans) });
    expect(await response.json()).toEqual({});
    expect(await read(own.spanId, `${ada.entity}/by resource`)).not.toBeNull();
    expect(await read(own.spanId)).toBeNull();
    expect(await read(other.spanId)).not.toBeNull();
  });

  it("keeps spans out of another team's project", async () => {
    const [mine, theirs] = [aSpan(), aSpan()];
    const groups = [request([mine]), request([theirs], resource(eve.entity, 'spans'))] as { resourceSpans: object[] }[];
    const mixed = await send({ resourceSpans: groups.flatMap(({ resourceSpans }) => resourceSpans) });
    expect(await mixed.json()).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
    expect(await read(mine.spanId)).not.toBeNull();
    expect((await send(request([theirs]), { project_id: `${eve.entity}/spans` })).status).toBe(404);
  });

  it('takes the key in the header that exporters can set', async () => {
    const span = aSpan();
    const headers = { 'wandb-api-key': ada.key, project_id: project, 'content-type': 'application/json' };
    expect((await post(JSON.stringify(request([span])), headers)).status).toBe(200);
    expect(await read(span.spanId)).not.toBeNull();
    expect((await post('{}', { ...headers, 'wandb-api-key': 'wrong' })).status).toBe(401);
  });

  it('stores a span that is sent twice once, and completes one that was running', async () => {
    const span = aSpan();
    await send(request([{ ...span, endTimeUnixNano: '0' }]));
    expect(await read(span.spanId)).toMatchObject({ ended_at: null, summary: { weave: { status: 'running' } } });
    await send(request([span, span]));
    await send(request([span]));
    expect(await read(span.spanId)).toMatchObject({ ended_at: '2025-11-27T12:00:01.500000Z' });
  });

  it('keeps the digits of JSON', async () => {
    const span = aSpan({ attributes: [{ key: 'seed', value: { intValue: 0 } }] });
    const body = JSON.stringify(request([span])).replace('"intValue":0', '"intValue":9223372036854775807');
    await post(body, { ...ada.basic, project_id: project });
    const id = JSON.stringify({ project_id: project, id: span.spanId });
    const response = await fetch(`${api.url}/call/read`, { method: 'POST', headers: ada.basic, body: id });
    expect(await response.text()).toContain('"seed":9223372036854775807');
  });

  it.each([
    ['JSON that is cut off', '{"resourceSpans":[', {}, 400],
    ['JSON that is no object', '[]', {}, 400],
    [
      'noise as protobuf',
      Buffer.from('ffffffffffffffffffff', 'hex'),
      { 'content-type': 'application/x-protobuf' },
      400,
    ],
    ['a malformed project', JSON.stringify(request([aSpan()])), { project_id: 'a/b/c' }, 422],
    ['no project', JSON.stringify(request([aSpan()])), { project_id: '' }, 422],
    ['no key', '{}', { authorization: '' }, 401],
    ['nothing at all', '{}', {}, 200],
  ])('answers %s', async (_what, body, headers, status) => {
    expect((await post(body, { ...ada.basic, project_id: project, ...headers })).status).toBe(status);
  });
});
