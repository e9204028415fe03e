import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compressors = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) as Promise<Buffer>,
  gzip: (content: Buffer) => promisify(gzip)(content),
};

/** A file that stays the same while the process runs: sent compressed, and only to those who don't have it. */
export class PackedFile {
  private readonly etag: string;
  private readonly packed = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly content: Buffer,
    private readonly type: string,
  ) {
    // Weak: it stands for all encodings of it.
    this.etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  }

  async send(request: Request, response: Response): Promise<void> {
    response.setHeader('etag', this.etag);
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('vary', 'accept-encoding');
    if (request.headers['if-none-match']?.includes(this.etag)) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
    const packed = encoding === 'br' || encoding === 'gzip' ? await this.pack(encoding) : this.content;
    if (packed !== this.content) response.setHeader('content-encoding', String(encoding));
    response.setHeader('content-type', this.type);
    response.setHeader('content-length', packed.length);
    response.end(request.method === 'HEAD' ? undefined : packed);
  }

  /** Once, by whoever asks first. */
  private pack(encoding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.packed.get(encoding);
    if (known) return known;
    const packed = compressors[encoding](this.content);
    this.packed.set(encoding, packed);
    return packed;
  }
}
