import { EXPIRES_AT, TTL } from './time-to-live.js';
import type { CollectionRef } from '../collections/collection-ref.js';

/** A version as seen from one collection: the one where it was made, or a registry's that links it. */
export interface VersionRow {
  id: string;
  /** In this collection; null for a draft. */
  index: number | null;
  digest: string | null;
  description: string | null;
  /** JSON text. */
  metadata: string;
  file_count: number;
  /** A bigint, hence text. */
  size_bytes: string;
  created_by: string;
  created_at: Date;
  committed_at: Date | null;
  /** Its own word: see the entity. */
  ttl_seconds: string | null;
  /** With what it inherits; null: for good. A bigint, hence text. */
  stays_seconds: string | null;
  /** Null: nothing takes it away, now. */
  expires_at: Date | null;
  added_by: string | null;
  added_at: Date | null;
  aliases: string[];
  tags: string[];
  /** Where it was made; `source_index` is null for a draft. */
  entity: string;
  project_id: number;
  project: string;
  collection: string;
  source_index: number | null;
}

/** `entity/project/collection:vN` where the version was made; null for a draft. */
export const refOf = ({ entity, project, collection, source_index }: VersionRow): string | null =>
  source_index === null ? null : `${entity}/${project}/${collection}:v${source_index}`;

/** `entity/project/collection:vN` in the collection from which a committed version was seen; of a registry, its own. */
export function refIn({ name, place }: CollectionRef, { index }: VersionRow): string {
  return `${place.entity}/${(place.registry ?? place.project)!.name}/${name}:v${index!}`;
}

/** Versions as seen from the collection $1; `m` is the membership there. */
export const SELECT_VERSIONS = `
  SELECT v.id, m.version_index AS index, v.digest, v.description, v.metadata,
         CASE WHEN v.committed_at IS NULL THEN f.count::int ELSE v.file_count END AS file_count,
         CASE WHEN v.committed_at IS NULL THEN f.size ELSE v.size_bytes END AS size_bytes,
         v.created_by, v.created_at, v.committed_at, v.ttl_seconds, ${TTL} AS stays_seconds, ${EXPIRES_AT} AS expires_at, m.added_by, m.added_at,
         ARRAY(SELECT a.alias FROM artifact_aliases a
                WHERE a.collection_id = $1 AND a.version_id = v.id ORDER BY a.alias) AS aliases,
         ARRAY(SELECT g.tag FROM artifact_tags g
                WHERE g.collection_id = $1 AND g.version_id = v.id ORDER BY g.tag) AS tags,
         t.name AS entity, p.id AS project_id, p.name AS project, c.name AS collection, s.version_index AS source_index
    FROM artifact_versions v
    JOIN artifact_collections c ON c.id = v.collection_id
    JOIN projects p ON p.id = c.project_id
    JOIN teams t ON t.id = p.team_id
    LEFT JOIN artifact_memberships m ON m.collection_id = $1 AND m.version_id = v.id
    LEFT JOIN artifact_memberships s ON s.collection_id = v.collection_id AND s.version_id = v.id
    LEFT JOIN LATERAL (SELECT count(*), coalesce(sum(b.size_bytes), 0)::bigint AS size
                         FROM artifact_files f JOIN artifact_blobs b USING (sha256)
                        WHERE f.version_id = v.id AND v.committed_at IS NULL) f ON true`;
