import { AnnotationProgress, AnnotationQueue, AnnotationQueueItem } from './annotation-queue.entities.js';
import { ApiKey } from './api-key.entity.js';
import { ArtifactCollection, ArtifactCollectionTag } from './artifact-collection.entities.js';
import { ArtifactBlob, ArtifactFile, HeldBlob } from './artifact-file.entities.js';
import { ArtifactAlias, ArtifactMembership, ArtifactTag } from './artifact-membership.entities.js';
import { ArtifactVersion } from './artifact-version.entity.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AutomationEvent } from './automation-event.entity.js';
import { AutomationAttempt, AutomationExecution, AutomationRunFiring } from './automation-execution.entities.js';
import { Automation, AutomationScope } from './automation.entity.js';
import { BackgroundResponse, ResponseEvents } from './background-response.entities.js';
import { CallChange, CallMinute, CallUsageMinute } from './call-rollup.entities.js';
import { Call } from './call.entity.js';
import { Checkpoint } from './checkpoint.entity.js';
import { DatasetSource } from './dataset-source.entity.js';
import { DeletedTraceProject } from './deleted-trace-project.entity.js';
import { Feedback } from './feedback.entity.js';
import { ModelPrice } from './model-price.entity.js';
import { Model } from './model.entity.js';
import { ProjectMember } from './project-member.entity.js';
import { Project } from './project.entity.js';
import { Registry, RegistryMember } from './registry.entities.js';
import { StoredResponse, StoredResponseItem } from './response.entities.js';
import { RunFile } from './run-file.entity.js';
import { RunLine } from './run-line.entity.js';
import { RunMetric } from './run-metric.entity.js';
import { Run } from './run.entity.js';
import { ArtifactUse, SdkArtifact, SdkManifest } from './sdk-artifact.entities.js';
import { Secret } from './secret.entity.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';
import { TraceFile, TraceFileChunk } from './trace-file.entities.js';
import { TraceObjectAlias, TraceObjectTag } from './trace-object-label.entities.js';
import { TraceObject } from './trace-object.entity.js';
import { TraceTable, TraceTableChunk, TraceTableRow } from './trace-table.entities.js';
import { TrainingJob, TrainingJobEvent } from './training-job.entities.js';
import { TrajectoryLog } from './trajectory-log.entity.js';
import { User } from './user.entity.js';
import { WebhookLane } from './webhook-lane.entity.js';
import { Webhook } from './webhook.entity.js';

export const entities = [
  AnnotationProgress,
  AnnotationQueue,
  AnnotationQueueItem,
  ApiKey,
  ArtifactAlias,
  ArtifactBlob,
  ArtifactCollection,
  ArtifactCollectionTag,
  ArtifactFile,
  HeldBlob,
  ArtifactMembership,
  ArtifactTag,
  ArtifactUse,
  ArtifactVersion,
  AuditEntry,
  Automation,
  AutomationAttempt,
  AutomationEvent,
  AutomationExecution,
  AutomationRunFiring,
  AutomationScope,
  BackgroundResponse,
  Call,
  CallChange,
  CallMinute,
  CallUsageMinute,
  Checkpoint,
  DatasetSource,
  DeletedTraceProject,
  Feedback,
  Model,
  ModelPrice,
  Project,
  ProjectMember,
  Registry,
  RegistryMember,
  ResponseEvents,
  Run,
  RunFile,
  RunLine,
  RunMetric,
  SdkArtifact,
  SdkManifest,
  Secret,
  StoredResponse,
  StoredResponseItem,
  Team,
  TeamMember,
  TraceFile,
  TraceFileChunk,
  TraceObject,
  TraceObjectAlias,
  TraceObjectTag,
  TraceTable,
  TraceTableChunk,
  TraceTableRow,
  TrainingJob,
  TrainingJobEvent,
  TrajectoryLog,
  User,
  Webhook,
  WebhookLane,
];
