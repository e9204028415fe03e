import type { ArtifactSubject } from '@heddle/events';
import type { CollectionRef } from './collection-ref.js';
import { refOf, type VersionRow } from './version-row.js';

/** What events tell of a committed version in a collection. */
export function artifactSubject({ id, name, type }: CollectionRef, row: VersionRow): ArtifactSubject {
  return {
    collection: { id, name, type },
    version: {
      id: row.id,
      index: row.source_index!,
      ref: refOf(row)!,
      metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    },
  };
}
