import { type ArchivedTable, ROW_CHECKS } from '@heddle/database';

/** What moves of models: the checkpoints that are kept. Jobs don't: what they made does, and what they left are metrics. */
export const MODEL_TABLES: readonly ArchivedTable[] = [
  {
    name: 'models',
    owner: { project: 'project_id' },
    hasId: true,
    onlyWhole: true,
    links: {
      run_id: { to: 'runs', isOptional: true },
      collection_id: { to: 'artifact_collections', isOptional: true },
    },
    unique: { columns: ['name'], noun: 'model', label: 's.name', differs: 't.id <> s.id' },
    grows: ['next_step'],
    checks: { 'its name': ROW_CHECKS.isName('name') },
  },
  {
    name: 'checkpoints',
    owner: { column: 'version_id', of: 'artifact_versions' },
    onlyWhole: true,
    hasId: true,
    links: { model_id: { to: 'models' } },
    unique: {
      columns: ['model_id', 'step'],
      noun: 'checkpoint',
      label: "(SELECT m.name FROM models m WHERE m.id = s.model_id) || ' step ' || s.step",
      differs: 't.version_id <> s.version_id',
    },
    becomes: { training_job_id: 'NULL::uuid' },
    checks: { 'its metrics': ROW_CHECKS.isObject('metrics') },
  },
];
