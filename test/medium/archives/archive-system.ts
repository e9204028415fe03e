import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readTar } from '@heddle/files';
import { CheckpointWriter, ModelsRepository } from '@heddle/models';
import { pack } from 'tar-stream';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { SdkClient } from '../wandb/sdk-client.js';

export interface Entry {
  name: string;
  content: Buffer;
  /** What its header says, where that is another. */
  size?: number;
  type?: 'symlink' | 'directory';
}

export type Row = Record<string, unknown>;

/** A server with ada, who is a member of one team. */
export class ArchiveSystem {
  private constructor(
    readonly api: TestApi,
    readonly ada: GivenUser & { entity: string },
  ) {}

  static async start(team: string): Promise<ArchiveSystem> {
    const api = await startApi({ AUTH_CACHE_SECONDS: '0' });
    const { id } = await api.given.team(team);
    const ada = await api.given.user({ username: `ada-of-${team}`, teams: [{ id, role: 'admin' }] });
    return new ArchiveSystem(api, { ...ada, entity: team });
  }

  close(): Promise<void> {
    return this.api.close();
  }

  async send<T = Row>(method: string, path: string, body?: unknown): Promise<T> {
    const init = { method, headers: this.ada.bearer, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(this.api.url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async project(name: string): Promise<string> {
    await this.send('POST', '/v1/projects', { entity: this.ada.entity, name });
    return `${this.ada.entity}/${name}`;
  }

  export(project: string, query = '', who: { bearer: Record<string, string> } = this.ada): Promise<Response> {
    return fetch(`${this.api.url}/v1/projects/${project}/archive${query}`, { headers: who.bearer });
  }

  /** A whole archive. */
  async archive(project: string, query = ''): Promise<Buffer> {
    const response = await this.export(project, query);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async import(
    project: string,
    archive: Buffer,
    who: { bearer: Record<string, string> } = this.ada,
  ): Promise<{ status: number; body: Row }> {
    const init = { method: 'POST', headers: who.bearer, body: new Uint8Array(archive) };
    const response = await fetch(`${this.api.url}/v1/projects/${project}/archive`, init);
    return { status: response.status, body: (await response.json()) as Row };
  }

  count = async (table: string): Promise<number> =>
    (await this.api.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;

  /** A project `loom` with everything that moves. */
  async weave(): Promise<string> {
    const project = await this.project('loom');
    const path = `/v1/projects/${project}`;
    await this.send('POST', `${path}/runs`, { name: 'by-rest', config: { lr: 0.1 } });
    await this.send('POST', `${path}/runs/by-rest/history`, {
      points: [{ step: 3, metrics: { loss: 0.1 + 0.2, norm: 'Infinity', odds: '-Infinity', gone: 'NaN' } }],
    });
    await this.sdkRun(project);
    await this.artifacts(project, path);
    await this.model();
    await this.traces(project);
    return project;
  }

  private async sdkRun(project: string): Promise<void> {
    const sdk = new SdkClient(this.api, this.ada);
    const fields = {
      name: 'by-sdk',
      config: '{"lr": {"value": 1e-3}}',
      tags: ['a b'],
      notes: 'ünïcode',
      groupName: 'g',
    };
    await sdk.upsert({ ...fields, jobType: 'train', host: 'h' });
    const media = `{"_step": 1, "table": {"path": "wandb-artifact:///${project}/data:v0/t.json"},  "odd":   1.50}`;
    await sdk.history('by-sdk', 0, '{"_step": 0, "loss": NaN, "x": 12345678901234567890}', media);
    await sdk.stream('by-sdk', {
      files: {
        'wandb-events.jsonl': { offset: 0, content: ['{"system.cpu": 3.25, "_timestamp": 1}'] },
        'output.log': { offset: 0, content: ['2026-01-01T00:00:00.000000 hello "there" \\u0000\n'] },
        'wandb-summary.json': { offset: 0, content: ['{"loss": Infinity}'] },
      },
    });
    const query = `mutation ($entity: String, $files: [String!]!) { createRunFiles(input: {runName: "by-sdk",
      projectName: "loom", entityName: $entity, files: $files}) { files { uploadUrl } } }`;
    const { createRunFiles } = await sdk.get<{ createRunFiles: { files: { uploadUrl: string }[] } }>(query, {
      entity: this.ada.entity,
      files: ['media/a b.txt'],
    });
    await fetch(createRunFiles.files[0]!.uploadUrl, { method: 'PUT', body: 'a file of a run' });
    await sdk.stream('by-sdk', { complete: true, exitcode: 0 });
  }

  private async artifacts(project: string, path: string): Promise<void> {
    await this.send('POST', `${path}/artifacts`, { name: 'data', type: 'dataset', description: 'd' });
    const file = (name: string, text: string) => ({ path: name, content: Buffer.from(text).toString('base64') });
    const versions = `${path}/artifacts/data/versions`;
    const metadata = { from: `wandb-artifact:///${project}/other:v0` };
    await this.send('POST', versions, {
      files: [file('a.txt', 'a'), file('dir/b.txt', 'b')],
      metadata,
      aliases: ['best'],
    });
    await this.send('POST', versions, { files: [file('a.txt', 'a'), file('c.txt', 'c')], tags: ['checked'] });
    const hex = (id: string) => Buffer.from(id.replaceAll('-', ''), 'base64').toString('hex');
    await this.api.database.pool.query(
      `INSERT INTO artifact_uses (run_id, version_id)
       SELECT r.id, v.id FROM runs r, artifact_versions v WHERE r.name = 'by-rest' AND v.digest IS NOT NULL`,
    );
    const { rows } = await this.api.database.pool.query<{ id: string }>(
      'SELECT id FROM artifact_versions ORDER BY created_at',
    );
    const contents = {
      'r.txt': { digest: 'x', ref: `wandb-artifact://${hex(rows[0]!.id)}/a.txt`, birthArtifactID: rows[1]!.id },
    };
    await this.api.database.pool.query(
      `INSERT INTO sdk_artifacts (version_id, digest, client_id, run_id, manifest)
       SELECT $1, 'd', 'c', r.id, $2 FROM runs r WHERE r.name = 'by-sdk'`,
      [rows[1]!.id, JSON.stringify({ contents })],
    );
  }

  private async model(): Promise<void> {
    const model = { entity: this.ada.entity, project: 'loom', name: 'agent', base_model: 'heddle/shuttle-1m' };
    const { id } = await this.send<{ id: string }>('POST', '/v1/preview/models', model);
    const directory = join(this.api.env.DATA_DIR, 'work', randomUUID());
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'adapter_config.json'), '{}');
    await writeFile(join(directory, 'adapter_model.safetensors'), 'weights');
    await writeFile(join(directory, 'optimizer.safetensors'), 'state');
    const ref = (await this.api.provider(ModelsRepository).findById(id))!;
    const actor = { userId: this.ada.id, username: this.ada.username };
    await this.api.provider(CheckpointWriter).write({ ref, actor, jobId: null, metrics: { reward: 0.5 } }, directory);
  }

  private async traces(project: string): Promise<void> {
    const made = await this.send<{ digest: string }>('POST', '/obj/create', {
      obj: {
        project_id: project,
        object_id: 'prompt',
        val: { text: 'hi', also: `weave:///${project}/object/other:v0` },
      },
    });
    await this.send('POST', '/obj/create', {
      obj: { project_id: project, object_id: 'prompt', val: { text: 'newer' } },
    });
    await this.send('POST', '/table/create', {
      table: { project_id: project, rows: [{ a: 1 }, { a: 1.0 }, { b: '\u0000' }] },
    });
    const form = new FormData();
    form.append('project_id', project);
    form.append('file', new Blob(['a file of a trace']), 'f');
    await fetch(`${this.api.url}/files/create`, { method: 'POST', headers: this.ada.basic, body: form });
    const prompt = `weave:///${project}/object/prompt:${made.digest}`;
    const start = { project_id: project, op_name: `weave:///${project}/op/f:x`, attributes: {}, trace_id: 't' };
    const times = { started_at: '2026-01-01T00:00:00.123456Z', wb_run_id: `${project}/by-sdk` };
    await this.send('POST', '/call/start', {
      start: { ...start, ...times, id: 'parent', inputs: { prompt, odd: '\u0000' } },
    });
    await this.send('POST', '/call/start', {
      start: { ...start, ...times, id: 'child', parent_id: 'parent', inputs: {} },
    });
    const end = {
      project_id: project,
      id: 'parent',
      ended_at: '2026-01-01T00:00:02Z',
      output: { prompt },
      summary: {},
    };
    await this.send('POST', '/call/end', { end });
    const feedback = { project_id: project, feedback_type: 'note', payload: { note: 'good' } };
    await this.send('POST', '/feedback/create', { ...feedback, weave_ref: `weave:///${project}/call/parent` });
    const price = { prompt_token_cost: 0.001, completion_token_cost: 0.002, effective_date: '2026-01-01T00:00:00Z' };
    await this.send('POST', '/cost/create', { project_id: project, costs: { 'a-model': price } });
  }
}

export async function entriesOf(archive: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { name, content } of readTar(Readable.from([archive]))) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk as Buffer);
    entries.push({ name, content: Buffer.concat(chunks) });
  }
  return entries;
}

export async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content, type } of entries) {
    if (type) tar.entry({ name, type, linkname: '/etc/passwd' });
    else tar.entry({ name }, content);
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as unknown as Readable) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Rows of an archive by table. */
export function rowsOf(entries: readonly Entry[]): Map<string, Row[]> {
  const tables = new Map<string, string>();
  for (const { name, content } of entries) {
    const table = /^rows\/(\w+)\//.exec(name)?.[1];
    if (table) tables.set(table, (tables.get(table) ?? '') + content.toString());
  }
  const parse = (text: string): Row[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  return new Map([...tables].map(([name, text]) => [name, parse(text)]));
}
