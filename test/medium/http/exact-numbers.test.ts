import { AutomationsSystem } from '../automations/automations-system.js';

/** The greatest of 64 bits, and one that a double rounds. */
const BIG = '{"id":9223372036854775807,"deep":{"list":[-9007199254740993,1,0.5]},"text":"9223372036854775807"}';

describe('integers of 64 bits', () => {
  let t: AutomationsSystem;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
  });
  afterAll(() => t.close());

  async function send(method: string, path: string, body?: string): Promise<string> {
    const response = await fetch(t.url + path, { method, headers: t.admin.bearer, body: body ?? null });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  it('in metadata are read as they were written', async () => {
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await send('POST', artifacts, '{"name": "exact", "type": "model"}');
    const made = await send('POST', `${artifacts}/exact/versions`, `{"metadata": ${BIG}}`);
    expect(made).toContain(`"metadata":${BIG}`);
    const changed = BIG.replace('{"id"', '{"ID"');
    await send('PATCH', `${artifacts}/exact/versions/v0`, `{"metadata": ${changed}}`);
    expect(await send('GET', `${artifacts}/exact/versions/v0`)).toContain(`"metadata":${changed}`);
  });

  it("in a run's configuration too", async () => {
    await send('POST', `/v1/projects/${t.project}/runs`, `{"name": "exact", "config": ${BIG}}`);
    expect(await send('GET', `/v1/projects/${t.project}/runs/exact`)).toContain(`"config":${BIG}`);
  });

  it('arrive in payloads digit for digit, those of the event and those of the template', async () => {
    const receiver = await t.receiver();
    const webhook = await t.webhook(receiver.port);
    const metadata =
      '{"all": "${artifact_metadata.id}", "deep": "${artifact_metadata.deep}", "own": 9223372036854775807}';
    const action = `{"team": "${t.team.name}", "webhook_id": "${webhook}", "request_payload": ${metadata}}`;
    const event = '{"event_type": "CREATE_ARTIFACT", "filter": {}}';
    const scope = `{"scope_type": "PROJECT", "scope_id": "${t.project}"}`;
    await send(
      'POST',
      '/v1/automations',
      `{"name": "exact", "scope": ${scope}, "event": ${event}, "action": ${action}}`,
    );
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await send('POST', artifacts, '{"name": "sent", "type": "model"}');
    await send('POST', `${artifacts}/sent/versions`, `{"metadata": ${BIG}}`);
    await t.deliver();
    const body = String(receiver.last.body);
    expect(body).toContain('"own":9223372036854775807');
    expect(body).toContain('9223372036854775807"');
    expect(body).toContain('-9007199254740993');
  });
});
