import type { Env } from '@heddle/config';
import { DiskObjectStore } from './disk-object-store.js';
import type { ObjectStore } from './object-store.js';

/** The store that the settings name. The client of S3 is loaded only where it is used. */
export async function openObjectStore(env: Env): Promise<ObjectStore> {
  if (env.S3_BUCKET === undefined) return new DiskObjectStore(env.DATA_DIR);
  const { s3ObjectStore } = await import('./s3/s3-client.js');
  return s3ObjectStore(env);
}
