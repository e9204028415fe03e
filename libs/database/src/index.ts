export { type ArchivedTable, ROW_CHECKS } from './archived-table.js';
export { cancelStatement } from './cancel-statement.js';
export { PLACE_NAMES, violates } from './constraint-violation.js';
export { DatabaseModule, InjectPool } from './database.module.js';
export { DatabaseRoom } from './database-room.js';
export { DatabaseUnusableError } from './database.errors.js';
export { dataSourceOptions, poolOf } from './data-source.js';
export { ApiKey } from './entities/api-key.entity.js';
export { ArtifactCollection, ArtifactCollectionTag } from './entities/artifact-collection.entities.js';
export { ArtifactVersion } from './entities/artifact-version.entity.js';
export { DeletedTraceProject } from './entities/deleted-trace-project.entity.js';
export { AUDIT_OUTCOMES, AuditEntry, type AuditOutcome } from './entities/audit-entry.entity.js';
export { AutomationEvent } from './entities/automation-event.entity.js';
export {
  AutomationAttempt,
  AutomationExecution,
  EXECUTION_STATES,
  type ExecutionState,
} from './entities/automation-execution.entities.js';
export { Automation, SCOPE_TYPES, type ScopeType } from './entities/automation.entity.js';
export { Checkpoint } from './entities/checkpoint.entity.js';
export { Model } from './entities/model.entity.js';
export { PLACE_ROLES, type PlaceRole } from './entities/project-member.entity.js';
export { Project } from './entities/project.entity.js';
export { Registry } from './entities/registry.entities.js';
export { Run, RUN_STATES, type RunState } from './entities/run.entity.js';
export { SdkArtifact, SdkManifest } from './entities/sdk-artifact.entities.js';
export { Secret } from './entities/secret.entity.js';
export { TEAM_ROLES, TeamMember, type TeamRole } from './entities/team-member.entity.js';
export { Team } from './entities/team.entity.js';
export { type ObjectKind } from './entities/trace-object.entity.js';
export {
  TRAINING_EVENT_TYPES,
  TRAINING_JOB_KINDS,
  TRAINING_JOB_STATES,
  type TrainingEventType,
  TrainingJob,
  TrainingJobEvent,
  type TrainingJobKind,
  type TrainingJobState,
} from './entities/training-job.entities.js';
export { TrajectoryLog } from './entities/trajectory-log.entity.js';
export { User } from './entities/user.entity.js';
export { type DisabledReason, DISABLED_REASONS, Webhook } from './entities/webhook.entity.js';
export { isFinite } from './finite.js';
export { migrate, migrationNames } from './migrate.js';
export { isOutage, isStorageFull, waitOut } from './outage.js';
export { isUuid, UUID_PATTERN } from './uuid.js';
