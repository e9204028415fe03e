import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which lib owns an entity, and which others read it, by its class or in SQL. Only the owner writes; everything else asks
 * it, or listens to its events. A reader is named here when a join is the better way: names of teams, access to places.
 */
const OWNERS: Record<string, { owner: string; readers?: string[]; writers?: string[] }> = {
  // Whoever authenticates with a key has used it.
  ApiKey: { owner: 'accounts', readers: ['auth'], writers: ['auth'] },
  Team: {
    owner: 'accounts',
    readers: [
      'artifacts',
      'audit',
      'auth',
      'automations',
      'projects',
      'registries',
      'runs',
      'secrets',
      'tracing',
      'training',
      'wandb',
      'webhooks',
    ],
  },
  TeamMember: { owner: 'accounts', readers: ['auth', 'wandb'] },
  User: { owner: 'accounts', readers: ['auth', 'backup', 'projects', 'runs', 'wandb'] },

  Project: {
    owner: 'projects',
    readers: ['archives', 'artifacts', 'audit', 'runs', 'tracing', 'training', 'wandb', 'webhooks'],
  },
  ProjectMember: { owner: 'projects', readers: ['automations', 'models', 'training', 'webhooks'] },
  Registry: { owner: 'registries', readers: ['artifacts', 'audit', 'automations', 'wandb', 'webhooks'] },
  RegistryMember: { owner: 'registries', readers: ['automations', 'webhooks'] },

  ArtifactCollection: { owner: 'artifacts', readers: ['audit', 'registries', 'wandb'] },
  ArtifactCollectionTag: { owner: 'artifacts' },
  ArtifactBlob: { owner: 'artifacts', readers: ['health', 'wandb'] },
  ArtifactFile: { owner: 'artifacts', readers: ['wandb'] },
  HeldBlob: { owner: 'artifacts' },
  ArtifactMembership: { owner: 'artifacts', readers: ['wandb'] },
  ArtifactAlias: { owner: 'artifacts' },
  ArtifactTag: { owner: 'artifacts' },
  ArtifactVersion: { owner: 'artifacts', readers: ['audit', 'wandb'] },

  Run: { owner: 'runs', readers: ['audit', 'models', 'training', 'wandb'] },
  RunLine: { owner: 'runs' },
  RunMetric: { owner: 'runs', readers: ['automations', 'wandb'] },
  // Contents are collected once no run has them either.
  RunFile: { owner: 'wandb', readers: ['artifacts'] },
  SdkArtifact: { owner: 'wandb' },
  SdkManifest: { owner: 'wandb' },
  ArtifactUse: { owner: 'wandb' },

  Model: { owner: 'models', readers: ['audit', 'training'] },
  // A checkpoint doesn't expire.
  Checkpoint: { owner: 'models', readers: ['artifacts', 'training'] },
  TrainingJob: { owner: 'training', readers: ['audit', 'health'] },
  TrainingJobEvent: { owner: 'training' },
  TrajectoryLog: { owner: 'training' },
  StoredResponse: { owner: 'inference' },
  StoredResponseItem: { owner: 'inference' },
  BackgroundResponse: { owner: 'inference' },
  ResponseEvents: { owner: 'inference' },

  // It says of whose team an id is.
  AuditEntry: { owner: 'audit' },
  Secret: { owner: 'secrets' },
  Webhook: { owner: 'webhooks', readers: ['audit', 'automations'] },
  Automation: { owner: 'automations', readers: ['audit'] },
  AutomationScope: { owner: 'automations' },
  AutomationEvent: { owner: 'automations', readers: ['wandb'] },
  AutomationExecution: { owner: 'automations', readers: ['audit', 'health'] },
  AutomationAttempt: { owner: 'automations' },
  AutomationRunFiring: { owner: 'automations' },
  WebhookLane: { owner: 'automations' },

  AnnotationProgress: { owner: 'tracing' },
  AnnotationQueue: { owner: 'tracing' },
  AnnotationQueueItem: { owner: 'tracing' },
  Call: { owner: 'tracing' },
  CallChange: { owner: 'tracing' },
  CallMinute: { owner: 'tracing' },
  CallUsageMinute: { owner: 'tracing' },
  DatasetSource: { owner: 'tracing' },
  DeletedTraceProject: { owner: 'tracing' },
  Feedback: { owner: 'tracing' },
  ModelPrice: { owner: 'tracing' },
  TraceFile: { owner: 'tracing' },
  TraceFileChunk: { owner: 'tracing' },
  TraceObject: { owner: 'tracing' },
  TraceObjectAlias: { owner: 'tracing' },
  TraceObjectTag: { owner: 'tracing' },
  TraceTable: { owner: 'tracing' },
  TraceTableChunk: { owner: 'tracing' },
  TraceTableRow: { owner: 'tracing' },
};

const files = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** Names of the tables by the names of their entities. */
const tables = new Map(
  files('libs/database/src/entities').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@Entity\('(\w+)'\)[\s\S]*?export class (\w+)/g)].map(
      ([, table, entity]) => [entity!, table!] as const,
    ),
  ),
);

const sources = files('libs')
  .filter((file) => !file.startsWith('libs/database/'))
  .map((file) => ({ lib: file.split('/')[1]!, text: readFileSync(file, 'utf8') }));

const libsWhere = (holds: (text: string) => boolean): string[] =>
  [...new Set(sources.filter(({ text }) => holds(text)).map(({ lib }) => lib))].sort();

const imports = (entity: string) => {
  const name = new RegExp(`\\b${entity}\\b`);
  return (text: string) =>
    [...text.matchAll(/import (?:type )?\{([^}]*)\} from '@heddle\/database'/g)].some(([, names]) => name.test(names!));
};

/** In SQL. A query's own part of that name (`users AS (...)`) is not the table. */
const names = (before: string, table: string) => {
  const found = new RegExp(`\\b(${before}) ${table}\\b`);
  return (text: string) => found.test(text) && !new RegExp(`\\b${table} AS (MATERIALIZED )?\\(`).test(text);
};

describe.each([...tables])('%s', (entity, table) => {
  const { owner, readers = [], writers = [] } = OWNERS[entity] ?? { owner: 'nobody' };

  it('is used by its owner and by the readers that are named, and by nobody else', () => {
    const users = libsWhere(
      (text) => imports(entity)(text) || names('FROM|JOIN|USING|INTO|UPDATE|DELETE FROM', table)(text),
    );
    expect(users.filter((lib) => lib !== owner)).toEqual([...readers].sort());
  });

  it('is written by its owner', () => {
    const inSql = names('INSERT INTO|(?<!FOR |DO |KEY )UPDATE|DELETE FROM', table);
    const byClass = new RegExp(`\\.(insert|update|delete|save|upsert)\\(${entity},`);
    expect(libsWhere((text) => inSql(text) || byClass.test(text)).filter((lib) => lib !== owner)).toEqual(writers);
  });
});

describe('owners', () => {
  it('are named for what there is', () => {
    expect(Object.keys(OWNERS).filter((entity) => !tables.has(entity))).toEqual([]);
  });
});
