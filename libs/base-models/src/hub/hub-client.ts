import { HubFailure, HubStatusError } from './hub-failure.js';
import { StallTimer } from './stall-timer.js';

export interface HubFile {
  name: string;
  size: number;
  /** SHA-1 of the file as git keeps it. */
  oid: string;
  /** Of a large file, of which git keeps only a pointer; null for a small one. */
  sha256: string | null;
}

export interface HubOptions {
  endpoint: string;
  token: string | undefined;
  /** Milliseconds without a byte after which a connection counts as broken. */
  stallMs: number;
}

type Fetch = typeof fetch;

/** Read when first needed: most processes never ask the hub. */
const hubLibrary = () => import('@huggingface/hub');

/** The hub through its own client, with errors that keep their status and connections that can't hang. */
export class HubClient {
  readonly endpoint: string;

  constructor(private readonly options: HubOptions) {
    this.endpoint = options.endpoint.replace(/\/+$/, '');
  }

  get hasToken(): boolean {
    return this.options.token !== undefined;
  }

  /** The commit that a branch or tag stands for at this moment. */
  commitOf(id: string, revision: string, signal: AbortSignal): Promise<string> {
    return this.guarded(signal, async (fetch) => {
      const { modelInfo } = await hubLibrary();
      const info = await modelInfo({ name: id, revision, additionalFields: ['sha'], hubUrl: this.endpoint, fetch });
      if (!/^[0-9a-f]{40}$/.test(info.sha))
        throw new HubFailure(`${this.endpoint} speaks not as the hub does`, 'never');
      return info.sha;
    });
  }

  /** The files beside `config.json`: those in folders are for other programs. */
  filesOf(id: string, commit: string, signal: AbortSignal): Promise<HubFile[]> {
    return this.guarded(signal, async (fetch) => {
      const { listFiles } = await hubLibrary();
      const files: HubFile[] = [];
      for await (const entry of listFiles({ repo: id, revision: commit, hubUrl: this.endpoint, fetch })) {
        if (entry.type !== 'file') continue;
        const { path: name, size, oid = '', lfs } = entry;
        files.push({ name, size: lfs?.size ?? size, oid, sha256: lfs?.oid ?? null });
      }
      return files;
    });
  }

  /** The bytes of a file from an offset on. */
  async *read(id: string, commit: string, name: string, offset: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    const stall = new StallTimer(this.options.stallMs, signal);
    let refusal: unknown;
    // The client's stream passes on only the message of what went wrong.
    const fetch = this.fetch(stall.signal, (error) => (refusal = error));
    try {
      const { downloadFile } = await hubLibrary();
      // Plain HTTP rather than the chunks of Xet: only that goes through every mirror and resumes at any byte.
      const blob = await downloadFile({
        repo: id,
        path: name,
        revision: commit,
        hubUrl: this.endpoint,
        fetch,
        xet: false,
      });
      if (!blob) throw new HubFailure(`the hub has no file ${name} of ${id} any more`, 'never');
      for await (const chunk of blob.slice(offset, blob.size).stream()) {
        stall.touch();
        yield Buffer.from(chunk as Uint8Array);
      }
    } catch (error) {
      throw stall.reason ?? refusal ?? error;
    } finally {
      stall.stop();
    }
  }

  private async guarded<T>(signal: AbortSignal, ask: (fetch: Fetch) => Promise<T>): Promise<T> {
    const stall = new StallTimer(this.options.stallMs, signal);
    try {
      return await ask(this.fetch(stall.signal));
    } catch (error) {
      if (error instanceof SyntaxError) throw new HubFailure(`${this.endpoint} speaks not as the hub does`, 'never');
      throw stall.reason ?? error;
    } finally {
      stall.stop();
    }
  }

  private fetch(signal: AbortSignal, onRefused: (error: unknown) => void = () => undefined): Fetch {
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = new Headers(init?.headers);
      // Here rather than by the client, which takes none but the hub's own tokens: mirrors have others. A redirect to another
      // host goes without it.
      const { token } = this.options;
      if (token !== undefined && url.origin === new URL(this.endpoint).origin) {
        headers.set('authorization', `Bearer ${token}`);
      }
      try {
        const response = await fetch(url, { ...init, headers, signal });
        if (!response.ok && !isMissingFile(response)) throw HubStatusError.of(response);
        if (response.ok && headers.has('range') && response.status !== 206 && !isXetInfo(response)) {
          throw new HubFailure(`${url.origin} can't send a part of a file`, 'never');
        }
        return response;
      } catch (error) {
        onRefused(error);
        throw error;
      }
    };
  }
}

/** Of which the client makes null. */
const isMissingFile = ({ status, headers }: Response): boolean =>
  status === 404 && headers.get('x-error-code') === 'EntryNotFound';

/** How the hub answers where a file is in its newer storage. */
const isXetInfo = ({ headers }: Response): boolean => headers.get('content-type')?.includes('xet-fileinfo') ?? false;
