import { S3Client } from '@aws-sdk/client-s3';
import type { Env } from '@heddle/config';
import { S3ObjectStore } from './s3-object-store.js';

const CONNECT_MS = 5_000;
/** How long a connection may say nothing. */
const SILENCE_MS = 60_000;
const ATTEMPTS = 4;
/** Downloads hold one each for as long as their clients take. */
const CONNECTIONS = { keepAlive: true, maxSockets: 500 };

/** Credentials that aren't set are looked for where the SDK of AWS looks: its files, the machine's role. */
export function s3ObjectStore(env: Env): S3ObjectStore {
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  const client = new S3Client({
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT,
    forcePathStyle: env.S3_PATH_STYLE,
    credentials:
      S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
        ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
        : undefined,
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
    // Servers other than AWS's don't all know its newer checksums; parts and files carry MD5 where they need one.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3ObjectStore(client, {
    bucket: env.S3_BUCKET!,
    prefix: env.S3_PREFIX && `${env.S3_PREFIX}/`,
    encryption: { ServerSideEncryption: env.S3_SERVER_SIDE_ENCRYPTION, SSEKMSKeyId: env.S3_KMS_KEY_ID },
    givesLinks: env.S3_PRESIGNED_DOWNLOADS,
  });
}
