import { randomUUID } from 'node:crypto';
import type { ServedModel } from '../serving/served-models.service.js';

/** What all parts of an answer say of it. */
export interface ChatIdentity {
  id: string;
  /** Seconds since 1970. */
  created: number;
  /** As it was asked for. */
  model: string;
  /** Which weights answered: `step12`, and the base model's id for itself. */
  system_fingerprint: string;
}

export function chatIdentity(model: string, { step, base }: ServedModel): ChatIdentity {
  return {
    id: `chatcmpl-${uniqueHex()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: step === null ? base.id : `step${step}`,
  };
}

export const toolCallId = (): string => `call_${uniqueHex()}`;

/** Node.js makes UUIDs in stock, and random bytes one call at a time. */
const uniqueHex = (): string => randomUUID().replaceAll('-', '');
