import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from './receiver.js';

/** A request as the hub sees it. `content` is where large files lie, on another host. */
export interface HubRequest {
  kind: 'info' | 'tree' | 'file' | 'content';
  /** Of the file; the model's id otherwise. */
  name: string;
  /** First byte that is asked for. */
  from: number;
  authorization: string | undefined;
}

/** What goes wrong with one answer. */
export interface Fault {
  status?: number;
  headers?: Record<string, string>;
  /** The connection breaks after so many bytes. */
  cutAfter?: number;
  /** Bytes that are not those of the file. */
  corrupt?: boolean;
  /** Nothing is ever answered, or after `cutAfter` bytes nothing more. */
  hang?: boolean;
  /** 64 KiB at a time, and a rest of so many milliseconds after each. */
  slowMs?: number;
}

interface StoredFile {
  content: Buffer;
  oid: string;
  sha256: string | null;
}

const COMMIT = 'c0ffee'.padEnd(40, '0');
const LARGE = 100_000;
const PAGE = 4;

/** Speaks as much of the hub's HTTP API as its client uses: revisions, trees in pages, files in parts, large files elsewhere. */
export class HubServer {
  readonly requests: HubRequest[] = [];
  /** Asked at every request; undefined answers as it should be. */
  fault: (request: HubRequest) => Fault | undefined = () => undefined;
  commit = COMMIT;
  private readonly models = new Map<string, Map<string, StoredFile>>();
  private contentUrl = '';
  url = '';

  private readonly hub = createServer((request, response) => this.answer(request, response));
  private readonly content = createServer((request, response) => this.answer(request, response));

  static async start(): Promise<HubServer> {
    const server = new HubServer();
    server.url = `http://127.0.0.1:${await listen(server.hub)}`;
    // Another port is another origin: a token must not get there.
    server.contentUrl = `http://127.0.0.1:${await listen(server.content)}`;
    return server;
  }

  /** A model with the files of a directory, and others. */
  add(id: string, directory: string, others: Record<string, string> = {}): void {
    const files = new Map<string, StoredFile>();
    for (const name of readdirSync(directory)) files.set(name, stored(readFileSync(join(directory, name))));
    for (const [name, text] of Object.entries(others)) files.set(name, stored(Buffer.from(text)));
    this.models.set(id, files);
  }

  asked(kind: HubRequest['kind'], name?: string): HubRequest[] {
    return this.requests.filter((request) => request.kind === kind && (name === undefined || request.name === name));
  }

  async close(): Promise<void> {
    for (const server of [this.hub, this.content]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, this.url);
    const path = decodeURIComponent(url.pathname);
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const found =
      this.match('info', path, /^\/api\/models\/(.+)\/revision\/(.+)$/) ??
      this.match('tree', path, /^\/api\/models\/(.+)\/tree\/([^/]+)$/) ??
      this.match('content', path, /^\/content\/(.+)\/([^/]+)$/) ??
      this.match('file', path, /^\/(.+)\/resolve\/[^/]+\/([^/]+)$/);
    if (!found) return void response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end();
    const { kind, id, last } = found;
    const name = kind === 'info' || kind === 'tree' ? id : last;
    const seen = { kind, name, from, authorization: request.headers.authorization };
    this.requests.push(seen);
    const fault = this.fault(seen) ?? {};
    if (fault.status !== undefined) return void response.writeHead(fault.status, fault.headers).end('no');
    if (fault.hang && fault.cutAfter === undefined) return;
    const files = this.models.get(id)!;
    if (kind === 'info') return this.info(id, last, response);
    if (kind === 'tree') return this.tree(url, files, response);
    const file = files.get(last);
    if (!file) return void response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
    if (kind === 'content' || file.sha256 === null) return void send(request, response, file, fault);
    if (request.headers.accept?.includes('xet-fileinfo')) return this.xet(file, response);
    response.writeHead(302, { location: `${this.contentUrl}/content/${id}/${last}` }).end();
  }

  private match(kind: HubRequest['kind'], path: string, pattern: RegExp) {
    const [, id = '', last = ''] = pattern.exec(path) ?? [];
    return this.models.has(id) ? { kind, id, last } : undefined;
  }

  private info(id: string, revision: string, response: ServerResponse): void {
    if (!['main', this.commit].includes(revision)) {
      return void response.writeHead(404, { 'x-error-code': 'RevisionNotFound' }).end();
    }
    const info = { _id: '1', id, private: false, gated: false, downloads: 1, likes: 1, lastModified: '2026-01-01' };
    json(response, { ...info, sha: this.commit });
  }

  private tree(url: URL, files: Map<string, StoredFile>, response: ServerResponse): void {
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const entries = [...files].map(([path, { content, oid, sha256 }]) => {
      const lfs = sha256 === null ? {} : { lfs: { oid: sha256, size: content.length, pointerSize: 130 } };
      return { type: 'file', path, size: content.length, oid, ...lfs };
    });
    const all = [{ type: 'directory', path: 'onnx', size: 0, oid: '0'.repeat(40) }, ...entries];
    if (from + PAGE < all.length) {
      url.searchParams.set('cursor', String(from + PAGE));
      response.setHeader('link', `<${url.href}>; rel="next"`);
    }
    json(response, all.slice(from, from + PAGE));
  }

  private xet({ content, sha256 }: StoredFile, response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'application/vnd.xet-fileinfo+json',
      'x-linked-size': content.length,
      'x-linked-etag': `"${sha256}"`,
      'x-xet-hash': 'f'.repeat(64),
      link: `<${this.url}/xet/auth>; rel="xet-auth", <${this.url}/xet/info>; rel="xet-reconstruction-info"`,
    });
    response.end('{}');
  }
}

function stored(content: Buffer): StoredFile {
  const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  return { content, oid, sha256: content.length < LARGE ? null : createHash('sha256').update(content).digest('hex') };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function send(request: IncomingMessage, response: ServerResponse, file: StoredFile, fault: Fault): Promise<void> {
  const size = file.content.length;
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const from = Number(first ?? 0);
  const body = Buffer.from(file.content.subarray(from, last ? Number(last) + 1 : size));
  if (fault.corrupt && body.length > 1) body[body.length - 1]! ^= 1;
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': body.length,
    'content-range': `bytes ${from}-${from + body.length - 1}/${size}`,
    etag: `"${file.oid}"`,
  });
  // The client first asks for one byte, to learn the size.
  const cutAfter = body.length > 1 ? (fault.cutAfter ?? body.length) : body.length;
  const step = fault.slowMs === undefined ? cutAfter : 65_536;
  for (let at = 0; at < cutAfter && !response.destroyed; at += step) {
    const isFlushed = response.write(body.subarray(at, Math.min(at + step, cutAfter)));
    if (!isFlushed) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (fault.slowMs !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.slowMs));
  }
  if (cutAfter >= body.length) response.end();
  else if (!fault.hang) setTimeout(() => response.destroy(), 20);
}

/** Beforehand, with time for it: its hundred modules take Node.js an instant and Jest many seconds. */
export async function loadHubClient(): Promise<void> {
  await import('@huggingface/hub');
}
