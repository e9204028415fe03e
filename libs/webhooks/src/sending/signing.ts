import { createHmac } from 'node:crypto';
import { WHSEC } from '@heddle/secrets';

export interface Signable {
  /** Of the event, the same on every attempt. */
  id: string;
  /** The very bytes that are sent. */
  body: Buffer;
  /** When this attempt is made. */
  at: Date;
}

/** The headers that tell the receiver who sent a body, and when. Without a secret nothing is signed. */
export function signatureHeaders({ id, body, at }: Signable, secret: string | null): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === null) return named;
  const standard = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body);
  return {
    ...named,
    'webhook-signature': `v1,${standard.digest('base64')}`,
    'x-service-signature': createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex'),
  };
}

/** Standard Webhooks carries keys in base64 behind `whsec_`; any other secret is its bytes. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(WHSEC) ? Buffer.from(secret.slice(WHSEC.length), 'base64') : Buffer.from(secret, 'utf8');
