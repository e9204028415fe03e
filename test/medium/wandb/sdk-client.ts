import type { TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';

export interface GraphqlAnswer {
  data?: Record<string, never> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

/** What the wandb SDK sends, by hand: for what no well-behaved client does. */
export class SdkClient {
  constructor(
    private readonly api: TestApi,
    readonly user: GivenUser & { entity: string },
  ) {}

  /** The answer to an operation, whose errors are no failure of HTTP. */
  async ask(query: string, variables: object = {}): Promise<GraphqlAnswer> {
    const response = await fetch(`${this.api.url}/graphql`, {
      method: 'POST',
      headers: this.user.basic,
      body: JSON.stringify({ query, variables }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as GraphqlAnswer;
  }

  /** What an operation without errors answers. */
  async get<T>(query: string, variables: object = {}): Promise<T> {
    const { data, errors } = await this.ask(query, variables);
    expect(errors).toBeUndefined();
    return data as T;
  }

  async upsert(
    fields: Record<string, unknown>,
  ): Promise<{ id: string; name: string; historyLineCount: number; config: string }> {
    const query = `mutation ($input: UpsertBucketInput!) {
      upsertBucket(input: $input) { inserted bucket { id name historyLineCount config } } }`;
    const input = { modelName: 'loom', entityName: this.user.entity, ...fields };
    const { upsertBucket } = await this.get<{ upsertBucket: { bucket: never } }>(query, { input });
    return upsertBucket.bucket;
  }

  stream(run: string, body: unknown, entity = this.user.entity): Promise<Response> {
    return fetch(`${this.api.url}/files/${entity}/loom/${run}/file_stream`, {
      method: 'POST',
      headers: this.user.basic,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Lines of history at an offset. */
  history(run: string, offset: number, ...rows: (object | string)[]): Promise<Response> {
    const content = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
    return this.stream(run, { files: { 'wandb-history.jsonl': { offset, content } } });
  }

  async run<T>(name: string, fields: string): Promise<T> {
    const query = `query ($entity: String, $name: String!) {
      project(name: "loom", entityName: $entity) { run(name: $name) { ${fields} } } }`;
    const { project } = await this.get<{ project: { run: T } }>(query, { entity: this.user.entity, name });
    return project.run;
  }

  async rest<T>(path: string): Promise<T> {
    const url = `${this.api.url}/v1/projects/${this.user.entity}/loom/${path}`;
    return (await (await fetch(url, { headers: this.user.bearer })).json()) as T;
  }
}
