import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ArchiveCommandError } from './archive-command.errors.js';

/** A server that is asked with a key. There is no limit of time: an import of gigabytes is answered when it is done. */
export class HeddleServer {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** @returns an answer that is no error @throws ArchiveCommandError with what the server says */
  async ask(
    method: string,
    path: string,
    body?: { content: Readable; size: number; type: string },
  ): Promise<IncomingMessage> {
    const target = new URL(this.url.replace(/\/$/, '') + path);
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(body ? { 'content-type': body.type, 'content-length': body.size } : {}),
    };
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options: RequestOptions = { method, headers };
      const request = send(target, options, resolve);
      request.on('error', (error: NodeJS.ErrnoException) =>
        reject(new ArchiveCommandError(`${this.url}: ${error.message || error.code}`)),
      );
      // A server that refuses answers before it has read all: its answer counts, and what is left needn't be sent.
      if (body) pipeline(body.content, request).catch(() => undefined);
      else request.end();
    });
    if (answer.statusCode! < 300) return answer;
    throw new ArchiveCommandError(`${this.url} says: ${detailOf(await textOf(answer))} (${answer.statusCode})`);
  }

  async json<T>(method: string, path: string, fields?: object): Promise<T> {
    const bytes = Buffer.from(JSON.stringify(fields ?? null));
    const body = fields && { content: Readable.from([bytes]), size: bytes.length, type: 'application/json' };
    return JSON.parse(await textOf(await this.ask(method, path, body))) as T;
  }
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail: unknown };
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return text.slice(0, 300);
  }
}

/** @throws ArchiveCommandError where a setting is missing */
export function serverFrom(variable: (name: string) => string | undefined): HeddleServer {
  const [url, key] = [variable('HEDDLE_URL'), variable('HEDDLE_API_KEY')];
  if (!url || !URL.canParse(url)) throw new ArchiveCommandError('HEDDLE_URL must be the URL of a server');
  if (!key) throw new ArchiveCommandError('HEDDLE_API_KEY must be a key of that server');
  return new HeddleServer(url, key);
}
