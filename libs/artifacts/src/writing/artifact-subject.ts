import type { ArtifactSubject } from '@heddle/events';
import { parseExact } from '@heddle/json';
import type { CollectionRef } from '../collections/collection-ref.js';
import { refIn, refOf, type VersionRow } from '../versions/version-row.js';

/** What events tell of a committed version in a collection. */
export function artifactSubject(collection: CollectionRef, row: VersionRow): ArtifactSubject {
  const { id, name, type } = collection;
  return {
    collection: { id, name, type },
    version: {
      id: row.id,
      index: row.index!,
      ref: refIn(collection, row),
      source: refOf(row)!,
      metadata: parseExact(row.metadata) as Record<string, unknown>,
    },
  };
}
