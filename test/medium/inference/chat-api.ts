import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE } from '@heddle/base-models';
import type { Engine } from '@heddle/engine';
import { CheckpointWriter, ModelsRepository } from '@heddle/models';
import { eventually } from '../../support/eventually.js';
import { startApi, type TestApi } from '../../support/api.js';
import type { GivenUser } from '../../support/given.js';
import { type Answer, type Ask, as } from '../accounts/requests.js';

export const BASE_MODEL = 'heddle/shuttle-1m';
export const CHAT = '/v1/chat/completions';

export type Json = Record<string, unknown>;

export interface Choice {
  index: number;
  message: { role: string; content: string | null; refusal: null; tool_calls?: ToolCall[] };
  logprobs: { content: Logprob[]; refusal: null } | null;
  finish_reason: string;
  stop_reason: string | number | null;
  token_ids?: number[];
}

export interface ToolCall {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

export interface Logprob {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: Omit<Logprob, 'top_logprobs'>[];
}

export interface Completion {
  id: string;
  model: string;
  system_fingerprint: string;
  choices: Choice[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  prompt_token_ids?: number[];
}

export interface TracedCall {
  op_name: string;
  inputs: Json;
  output: Json | null;
  exception: string | null;
  summary: Json;
}

/** The API with the engine that ships, and a team with a member and models in the project `loom`. */
export class ChatApi {
  private counter = 0;

  private constructor(
    readonly api: TestApi,
    readonly ada: GivenUser & { entity: string },
    private readonly directory: string,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<ChatApi> {
    const directory = await mkdtemp(join(tmpdir(), 'heddle-chat-'));
    const api = await startApi({ DATA_DIR: directory, ENGINE_THREADS: '1', ...settings });
    return new ChatApi(api, await api.given.member(), directory);
  }

  get url(): string {
    return this.api.url;
  }

  get ask(): Ask {
    return as(this.api, this.ada);
  }

  get engine(): Engine {
    return this.api.provider<Engine>(ENGINE as never);
  }

  /** A new model without checkpoints. */
  async model(): Promise<{ id: string; ref: string }> {
    const name = `agent-${++this.counter}`;
    const { body } = await this.ask('POST', '/v1/preview/models', { project: 'loom', name, base_model: BASE_MODEL });
    return { id: String(body['id']), ref: `wandb-artifact:///${this.ada.entity}/loom/${name}` };
  }

  /**
   * Makes the model's next checkpoint as a worker would: a few steps towards a word, enough to say something else.
   * @returns what the engine makes of it when it is asked for the text of {@link text}
   */
  async train(model: { id: string }, word: string): Promise<string> {
    const to = join(this.directory, `trained-${++this.counter}`);
    const messages = [user('Hello!'), { role: 'assistant' as const, content: word }];
    const examples = Array.from({ length: 6 }, () => ({ messages }));
    const data = { kind: 'sft' as const, examples, config: { learning_rate: 0.02 } };
    for await (const _ of this.engine.train({ base: BASE_MODEL, from: null, to, seed: 1, data }));
    const said = await this.textOf(to);
    const ref = (await this.api.provider(ModelsRepository).findById(model.id))!;
    const actor = { userId: this.ada.id, username: this.ada.username };
    await this.api.provider(CheckpointWriter).write({ ref, actor, jobId: null, metrics: {} }, to);
    return said;
  }

  /** The engine's own answer with an adapter's directory. */
  private async textOf(adapter: string): Promise<string> {
    const prompt = { messages: [user('Hello!')] };
    const options = { maxTokens: 12, temperature: 0 };
    let text = '';
    for await (const event of this.engine.generate({ base: BASE_MODEL, adapter, prompt, options })) {
      if (event.type === 'tokens') text += event.text;
    }
    return text;
  }

  /** Asks for a few likeliest tokens unless the fields say otherwise. */
  post(fields: Json = {}, ask: Ask = this.ask): Promise<Answer> {
    const body = { model: BASE_MODEL, messages: [user('Hello!')], max_tokens: 12, temperature: 0, ...fields };
    return ask('POST', CHAT, body);
  }

  async complete(fields: Json = {}): Promise<Completion> {
    const { status, body } = await this.post(fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as unknown as Completion;
  }

  /** The first choice's text. */
  async text(fields: Json = {}): Promise<string | null> {
    return (await this.complete(fields)).choices[0]!.message.content;
  }

  /** Sends a body as it is. */
  async send(body: string, path = CHAT): Promise<{ status: number; error: Json }> {
    const response = await fetch(this.url + path, { method: 'POST', headers: this.ada.bearer, body });
    return { status: response.status, error: ((await response.json()) as { error: Json }).error };
  }

  /** Opens a stream; its events come as they are. */
  async open(fields: Json, signal: AbortSignal | null = null): Promise<Response> {
    const body = JSON.stringify({ model: BASE_MODEL, messages: [user('Hello!')], stream: true, ...fields });
    return fetch(this.url + CHAT, { method: 'POST', headers: this.ada.bearer, body, signal });
  }

  /** The member's team. */
  async team(): Promise<{ id: string }> {
    const sql = 'SELECT id FROM teams WHERE name = $1';
    return (await this.api.database.pool.query<{ id: string }>(sql, [this.ada.entity])).rows[0]!;
  }

  /** From now on the answers of the project's models are traced. */
  async traceChats(): Promise<void> {
    await this.api.database.pool.query("UPDATE projects SET chat_tracing = true WHERE name = 'loom'");
  }

  /** Waits until the project's calls are as they should be. */
  async calls(hold: (calls: TracedCall[]) => boolean): Promise<TracedCall[]> {
    const read = async (): Promise<TracedCall[]> => {
      const body = JSON.stringify({ project_id: `${this.ada.entity}/loom` });
      const response = await fetch(`${this.url}/calls/stream_query`, { method: 'POST', headers: this.ada.basic, body });
      const lines = (await response.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as TracedCall);
    };
    return eventually(read, hold);
  }

  async close(): Promise<void> {
    await this.api.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content });

/** The data of each event of a stream. */
export const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));
