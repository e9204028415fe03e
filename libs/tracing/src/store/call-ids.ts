import { createHash, randomUUID } from 'node:crypto';

/** A UUID of version 7: made later, sorted later. */
export function makeId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * The trace of a call that was sent without one: a UUID of version 8, made from the call's id, so that a start that is
 * sent again gets the same answer again.
 */
export function traceIdOf(projectId: string, callId: string): string {
  const hex = createHash('sha256').update(`${projectId}\n${callId}`).digest('hex');
  const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
