import { isUuid } from '@heddle/database';
/** What names a version inside its collection. */
export type VersionSelector =
  | { kind: 'index'; index: number }
  | { kind: 'id'; id: string }
  | { kind: 'digest'; digest: string }
  | { kind: 'alias'; alias: string };

const INDEX = /^v(0|[1-9]\d{0,8})$/;
const DIGEST = /^[\da-f]{64}$/;

/** `v3`, a uuid, a digest; all else is an alias. */
export function parseSelector(text: string): VersionSelector {
  const index = INDEX.exec(text)?.[1];
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  if (isUuid(text)) return { kind: 'id', id: text };
  return DIGEST.test(text) ? { kind: 'digest', digest: text } : { kind: 'alias', alias: text };
}

/** Follows the newest version by itself. */
export const LATEST = 'latest';

/** Whether nobody may give this alias, since it means something already. */
export const isReservedAlias = (alias: string): boolean =>
  alias === LATEST || /^v\d+$/.test(alias) || parseSelector(alias).kind !== 'alias';
