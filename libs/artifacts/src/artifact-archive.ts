import { type ArchivedTable, ROW_CHECKS } from '@heddle/database';

/** In the collection in which the version was made: what registries link is theirs. */
const AT_HOME = 't.collection_id = (SELECT v.collection_id FROM artifact_versions v WHERE v.id = t.version_id)';
const LABEL = '(SELECT c.name FROM artifact_collections c WHERE c.id = s.collection_id)';
const IN_COLLECTION = { collection_id: { to: 'artifact_collections' } } as const;
const OF_VERSION = { column: 'version_id', of: 'artifact_versions' } as const;
/** What `v3`, a digest or an id would mean is no alias. */
const IS_ALIAS = `${ROW_CHECKS.isName('alias')} AND s.alias !~ '^(v\\d+|[\\da-f]{64}|[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12})$'`;

/** As a version's digest is made of its manifest. */
const DIGEST_OF_FILES = `(s.id, s.digest) IN (
  SELECT v.id, encode(sha256(convert_to(
           coalesce(string_agg(f.sha256 || '  ' || f.path || E'\\n', '' ORDER BY f.path COLLATE "C"), ''), 'UTF8')), 'hex')
    FROM in_artifact_versions v LEFT JOIN in_artifact_files f ON f.version_id = v.id GROUP BY v.id)`;

/** What moves of artifacts: committed versions, with their contents. */
export const ARTIFACT_TABLES: readonly ArchivedTable[] = [
  {
    name: 'artifact_collections',
    owner: { project: 'project_id' },
    hasId: true,
    unique: { columns: ['name'], noun: 'artifact', label: 's.name', differs: 't.id <> s.id' },
    becomes: { registry_id: 'NULL::uuid' },
    grows: ['next_index'],
    checks: { 'its name': ROW_CHECKS.isName('name'), 'its type': ROW_CHECKS.isName('type') },
  },
  {
    name: 'artifact_collection_tags',
    owner: { column: 'collection_id', of: 'artifact_collections' },
    checks: { 'its tag': ROW_CHECKS.isName('tag') },
  },
  {
    name: 'artifact_versions',
    owner: { column: 'collection_id', of: 'artifact_collections' },
    hasId: true,
    where: 't.committed_at IS NOT NULL',
    checks: {
      'its state': 's.committed_at IS NOT NULL AND s.digest IS NOT NULL',
      'its files': DIGEST_OF_FILES,
      'its metadata': ROW_CHECKS.isObject('metadata'),
    },
  },
  { name: 'artifact_files', owner: OF_VERSION, content: 'sha256', checks: { 'its path': ROW_CHECKS.isPath('path') } },
  {
    name: 'artifact_memberships',
    owner: OF_VERSION,
    links: IN_COLLECTION,
    where: AT_HOME,
    unique: {
      columns: ['collection_id', 'version_index'],
      noun: 'artifact version',
      label: `${LABEL} || ':v' || s.version_index`,
      differs: 't.version_id <> s.version_id',
    },
    checks: { 'its number': 's.version_index >= 0' },
  },
  {
    name: 'artifact_aliases',
    owner: OF_VERSION,
    links: IN_COLLECTION,
    where: AT_HOME,
    onConflict: 'ON CONFLICT (collection_id, alias) DO UPDATE SET version_id = excluded.version_id',
    checks: { 'its alias': IS_ALIAS },
  },
  {
    name: 'artifact_tags',
    owner: OF_VERSION,
    links: IN_COLLECTION,
    where: AT_HOME,
    checks: { 'its tag': ROW_CHECKS.isName('tag') },
  },
];
