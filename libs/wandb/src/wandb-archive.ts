import { type ArchivedTable, ROW_CHECKS } from '@heddle/database';

const OF_VERSION = { column: 'version_id', of: 'artifact_versions' } as const;

/** What moves of what the SDK says beside runs and artifacts: files of runs, manifests, lineage. */
export const SDK_TABLES: readonly ArchivedTable[] = [
  {
    name: 'run_files',
    owner: { column: 'run_id', of: 'runs' },
    content: 'sha256',
    checks: { 'its path': ROW_CHECKS.isPath('path') },
  },
  {
    name: 'sdk_artifacts',
    owner: OF_VERSION,
    links: { run_id: { to: 'runs', isOptional: true } },
    checks: { 'its manifest': ROW_CHECKS.isJson('manifest') },
  },
  {
    name: 'artifact_uses',
    owner: { column: 'run_id', of: 'runs' },
    links: { version_id: { to: 'artifact_versions' } },
  },
];

/** The versions that runs made or used. $1: ids of the runs; $2: id of their project. */
export const VERSIONS_OF_RUNS = `
  SELECT v.id, v.collection_id AS "collectionId"
    FROM artifact_versions v
    JOIN artifact_collections c ON c.id = v.collection_id AND c.project_id = $2
   WHERE v.committed_at IS NOT NULL AND v.id IN (
           SELECT version_id FROM sdk_artifacts WHERE run_id = ANY ($1)
           UNION ALL SELECT version_id FROM artifact_uses WHERE run_id = ANY ($1))`;
