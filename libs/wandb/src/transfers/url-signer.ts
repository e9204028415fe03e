import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Env } from '@heddle/config';
import { ForbiddenError } from '@heddle/http';
import type { Request } from 'express';

/** Hours for which an address serves: slow lines carry 8 GiB in them. */
const HOURS = 24;

/** What an address is good for: one object, one way. `path` is a file's in its run or version; digests are in hex. */
export type Transfer =
  | { kind: 'put-artifact-file'; draft: string; path: string; md5: string }
  | { kind: 'put-manifest'; manifest: string }
  | { kind: 'put-run-file'; run: string; path: string }
  | { kind: 'get-content'; sha256: string; name: string }
  | { kind: 'get-manifest'; version: string };

export type TransferKind = Transfer['kind'];

/**
 * Addresses that carry their own permission, for up- and downloads that clients make without their key: what it is good
 * for, until when, and a signature of both.
 */
@Injectable()
export class UrlSigner {
  private readonly key: Buffer;
  private readonly publicUrl: string | undefined;

  constructor({ SECRETS_KEY, PUBLIC_URL }: Env) {
    // Without a key of the instance, one of this process.
    const secret = SECRETS_KEY === undefined ? randomBytes(32) : Buffer.from(SECRETS_KEY, 'base64');
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'heddle signed urls', 32));
    this.publicUrl = PUBLIC_URL?.replace(/\/$/, '');
  }

  /** Where this client reaches the server, without a trailing slash. */
  baseOf(request: Request): string {
    return this.publicUrl ?? `${request.protocol}://${request.get('host') ?? ''}`;
  }

  sign(baseUrl: string, transfer: Transfer, expiresAt = Date.now() + HOURS * 3_600_000): string {
    const payload = Buffer.from(JSON.stringify({ ...transfer, expiresAt })).toString('base64url');
    const folder = transfer.kind.endsWith('manifest') ? 'transfers/manifests' : 'transfers';
    return `${baseUrl}/${folder}/${payload}.${this.signatureOf(payload).toString('base64url')}`;
  }

  /** @throws ForbiddenError for what this server did not sign, what has expired, and what is good for something else */
  open<Kind extends TransferKind>(token: string, ...kinds: Kind[]): Extract<Transfer, { kind: Kind }> {
    const [payload = '', signature = ''] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.signatureOf(payload);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isOurs) throw new ForbiddenError('This address is not one that the server gave out', 'address_invalid');
    const transfer = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Transfer & { expiresAt: number };
    if (transfer.expiresAt < Date.now()) throw new ForbiddenError('This address has expired', 'address_expired');
    if (!kinds.some((kind) => kind === transfer.kind)) {
      throw new ForbiddenError('This address is good for something else', 'address_invalid');
    }
    return transfer as unknown as Extract<Transfer, { kind: Kind }>;
  }

  private signatureOf(payload: string): Buffer {
    return createHmac('sha256', this.key).update(payload).digest();
  }
}
