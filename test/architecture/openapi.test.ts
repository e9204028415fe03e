import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Operation {
  summary?: string;
  security: unknown[];
  tags?: string[];
  responses: Record<string, unknown>;
}
type Document = {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Outgoing }>;
};
interface Outgoing extends Operation {
  parameters: { name: string; in: string }[];
  requestBody: { content: Record<string, { example: unknown }> };
}

const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
);

/** What shows nothing of anybody's. Everything else asks for a key. */
const PUBLIC = [
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /server_info',
  'GET /v1/health',
  'GET /v1/system-check',
];

describe('openapi.json', () => {
  it('is what the API serves (npm run openapi writes it anew)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-openapi-'));
    const file = join(folder, 'openapi.json');
    execFileSync(process.execPath, ['dist/apps/api/src/write-openapi.js', file]);
    expect(committed).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    rmSync(folder, { recursive: true });
  }, 60_000);

  it('is OpenAPI 3.1.0 of API version 1.0.0', () => {
    expect([committed.openapi, committed.info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  it('is valid by a linter of other people', () => {
    execFileSync(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--config', 'test/architecture/redocly.yaml'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
  }, 60_000);

  it('asks for a key on every route but the named ones', () => {
    expect(
      operations
        .filter(({ security }) => security.length === 0)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(PUBLIC);
  });

  it('says of every route what it does, where it belongs, and what a bad key gets', () => {
    expect(operations.filter(({ summary }) => !summary).map(({ name }) => name)).toEqual([]);
    expect(operations.filter(({ tags }) => tags?.length !== 1).map(({ name }) => name)).toEqual([]);
    expect(
      operations.filter(({ security, responses }) => security.length > 0 && !responses['401']).map(({ name }) => name),
    ).toEqual([]);
  });

  it('shows what an invalid request gets with a field of that request', () => {
    const problemOf = (name: string) => {
      const { responses } = operations.find((operation) => operation.name === name)!;
      const answer = responses['422'] as { content: Record<string, { example: { detail: unknown[] } }> };
      return answer.content['application/json']!.example.detail[0];
    };
    expect(problemOf('POST /v1/teams/{team}/webhooks')).toEqual({
      loc: ['body', 'name'],
      msg: 'name must be a string',
      type: 'missing',
    });
    expect(problemOf('GET /v1/preview/training-jobs/{training_job_id}/events')).toEqual({
      loc: ['query', 'after'],
      msg: 'after must be shorter than or equal to 300 characters',
      type: 'max_length',
    });
    expect(problemOf('GET /v1/preview/training-jobs/{training_job_id}')).toEqual({
      loc: ['path', 'training_job_id'],
      msg: 'training_job_id must be a UUID',
      type: 'is_uuid',
    });
  });

  it('says what it sends to webhooks: one request for each event, with the headers that receivers check', () => {
    const body = (committed.paths['/v1/automations']!['post'] as unknown as Outgoing).requestBody;
    const schema = body.content['application/json'] as unknown as { schema: { properties: { event: Events } } };
    expect(Object.keys(committed.webhooks)).toEqual(schema.schema.properties.event.oneOf.map(({ title }) => title));
    for (const { post } of Object.values(committed.webhooks)) {
      const headers = post.parameters.map(({ name }) => name);
      expect(headers).toEqual(expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']));
      // It is filled in.
      expect(JSON.stringify(post.requestBody.content['application/json']!.example)).not.toMatch(/\$\{|null/);
    }
    const { example } = committed.webhooks['ADD_ARTIFACT_ALIAS']!.post.requestBody.content['application/json']!;
    expect(example).toMatchObject({
      client_payload: { artifact_version_string: 'weavers/loom/chat-model:production' },
    });
  });
});

interface Events {
  oneOf: { title: string }[];
}
