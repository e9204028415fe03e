import Type, { type Static } from 'typebox';
import { ProjectId } from '../request/page.schema.js';

const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: 'Default: true' }));

export const ProjectBody = Type.Object({ project_id: ProjectId });
export const ProjectsInfo = Type.Object({ project_ids: Type.Array(ProjectId, { maxItems: 1000 }) });
export const ProjectsInfoFound = Type.Array(
  Type.Object({ external_project_id: Type.String(), internal_project_id: Type.String() }),
);

export const ProjectStats = Type.Object({
  project_id: ProjectId,
  include_trace_storage_size: Flag,
  include_object_storage_size: Flag,
  include_table_storage_size: Flag,
  include_file_storage_size: Flag,
});
export type ProjectStats = Static<typeof ProjectStats>;
export const ProjectStatsFound = Type.Object({
  trace_storage_size_bytes: Type.Number(),
  objects_storage_size_bytes: Type.Number(),
  tables_storage_size_bytes: Type.Number(),
  files_storage_size_bytes: Type.Number(),
});

const RetentionDays = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
  description: 'null: for ever',
});
export const Retention = Type.Object({ retention_days: RetentionDays });
export const UpdateRetention = Type.Object({ project_id: ProjectId, retention_days: Type.Optional(RetentionDays) });
export const Sampling = Type.Object({ sample_rate: Type.Number(), dry_run: Type.Boolean() });
export const SensitiveData = Type.Object({ policy: Type.Enum(['off']) });
