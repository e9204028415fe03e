import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type ByteRange, checkKey, type LinkedFile, ObjectStore, type StoredObject } from '../object-store.js';
import { FilesUnavailableError } from '../storage.errors.js';

/** In bytes. Larger files go up in such parts, two at a time; S3 takes 10,000 of them, which is 78 GiB. */
const PART = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const LINK_SECONDS = 3600;

export interface S3Place {
  bucket: string;
  /** Before every key, with a slash at its end, or empty. */
  prefix: string;
  encryption: Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  /** Whether clients are sent to the store for what they download. */
  givesLinks: boolean;
}

/** Objects in a bucket of S3, or of a server that speaks its protocol. */
export class S3ObjectStore extends ObjectStore {
  readonly isRemote = true;

  constructor(
    private readonly client: S3Client,
    private readonly place: S3Place,
  ) {
    super();
  }

  async put(key: string, path: string, md5?: string): Promise<void> {
    const { size } = await stat(path);
    const target = { ...this.at(key), ...this.place.encryption, ContentType: 'application/octet-stream' };
    await known(size > PART ? this.putInParts(target, path) : this.putWhole(target, path, md5));
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await absent(known(this.client.send(new GetObjectCommand({ ...this.at(key), Range }))));
    return found && (found.Body as Readable);
  }

  async sizeOf(key: string): Promise<number | null> {
    const found = await absent(known(this.client.send(new HeadObjectCommand(this.at(key)))));
    return found && found.ContentLength!;
  }

  async remove(key: string): Promise<void> {
    await known(this.client.send(new DeleteObjectCommand(this.at(key))));
  }

  async *list(folder: string): AsyncGenerator<StoredObject> {
    const { bucket, prefix } = this.place;
    const all = { Bucket: bucket, Prefix: `${prefix}${checkKey(folder)}/` };
    for (let from: string | undefined, isLast = false; !isLast;) {
      const page = await known(this.client.send(new ListObjectsV2Command({ ...all, ContinuationToken: from })));
      for (const { Key, LastModified } of page.Contents ?? []) {
        yield { key: Key!.slice(prefix.length), modifiedAt: LastModified! };
      }
      from = page.NextContinuationToken;
      isLast = !page.IsTruncated || from === undefined;
    }
  }

  async linkTo(key: string, { name, type }: LinkedFile): Promise<string | null> {
    if (!this.place.givesLinks) return null;
    const command = new GetObjectCommand({
      ...this.at(key),
      ResponseContentType: type,
      ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    return getSignedUrl(this.client, command, { expiresIn: LINK_SECONDS });
  }

  async check(): Promise<void> {
    await known(this.client.send(new HeadBucketCommand({ Bucket: this.place.bucket })));
  }

  /** From memory, so that it can be sent again. */
  private async putWhole(target: PutObjectCommandInput, path: string, md5?: string): Promise<unknown> {
    const ContentMD5 = md5 && Buffer.from(md5, 'hex').toString('base64');
    return this.client.send(new PutObjectCommand({ ...target, Body: await readFile(path), ContentMD5 }));
  }

  /** Parts of one that fails are removed. */
  private putInParts(target: PutObjectCommandInput, path: string): Promise<unknown> {
    const params = { ...target, Body: createReadStream(path, { highWaterMark: 1024 * 1024 }) };
    return new Upload({ client: this.client, params, partSize: PART, queueSize: PARTS_AT_ONCE }).done();
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.place.prefix + checkKey(key) };
  }
}

/** What S3 says, or fails to say, becomes an error of ours with the reason as its cause. */
async function known<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw new FilesUnavailableError(error);
  });
}

async function absent<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    const { $metadata, name } = (error as FilesUnavailableError).cause as {
      $metadata?: { httpStatusCode?: number };
      name: string;
    };
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return null;
    throw error;
  });
}
