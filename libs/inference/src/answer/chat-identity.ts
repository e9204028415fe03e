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

/** @param kind what the id begins with */
export function chatIdentity(model: string, { step, base }: ServedModel, kind = 'chatcmpl'): ChatIdentity {
  return {
    id: `${kind}-${uniqueHex()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: step === null ? base.id : `step${step}`,
  };
}

export const toolCallId = (): string => `call_${uniqueHex()}`;

/** Node.js makes UUIDs in stock, and random bytes one call at a time. */
export const uniqueHex = (): string => randomUUID().replaceAll('-', '');
