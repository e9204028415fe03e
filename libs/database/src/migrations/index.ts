import { Accounts1764200000000 } from './1764200000000-accounts.js';
import { Calls1764200000001 } from './1764200000001-calls.js';
import { TraceObjects1764200000002 } from './1764200000002-trace-objects.js';
import { ProjectMembers1764200000003 } from './1764200000003-project-members.js';
import { Runs1764200000004 } from './1764200000004-runs.js';
import { Artifacts1764200000005 } from './1764200000005-artifacts.js';
import { Webhooks1764200000006 } from './1764200000006-webhooks.js';
import { Automations1764200000007 } from './1764200000007-automations.js';
import { CallRetention1764200000008 } from './1764200000008-call-retention.js';
import { Training1764200000009 } from './1764200000009-training.js';
import { ChatTracing1764200000010 } from './1764200000010-chat-tracing.js';
import { LoraRank1764200000011 } from './1764200000011-lora-rank.js';
import { RepeatedJobs1764200000012 } from './1764200000012-repeated-jobs.js';
import { PlaceNames1764200000013 } from './1764200000013-place-names.js';
import { Responses1764200000020 } from './inference/1764200000020-responses.js';
import { SdkRuns1764200000030 } from './1764200000030-sdk-runs.js';
import { SdkArtifacts1764200000031 } from './1764200000031-sdk-artifacts.js';
import { CauseTokens1764200000032 } from './1764200000032-cause-tokens.js';
import { ObjectPublications1764200000050 } from './1764200000050-object-publications.js';
import { CallRollups1764200000060 } from './1764200000060-call-rollups.js';
import { AuditLog1764200000070 } from './1764200000070-audit-log.js';
import { DeletedTraceProjects1764200000071 } from './1764200000071-deleted-trace-projects.js';
import { ArtifactTtl1764200000080 } from './1764200000080-artifact-ttl.js';
import { CallCollections1764200000081 } from './1764200000081-call-collections.js';
import { PlannedTimes1764200000091 } from './automations/1764200000091-planned-times.js';
import { HeldBlobs1764200000092 } from './artifacts/1764200000092-held-blobs.js';
import { BackgroundResponses1764200000090 } from './inference/1764200000090-background-responses.js';

/** In the order in which they run. */
export const migrations = [
  Accounts1764200000000,
  Calls1764200000001,
  TraceObjects1764200000002,
  ProjectMembers1764200000003,
  Runs1764200000004,
  Artifacts1764200000005,
  Webhooks1764200000006,
  Automations1764200000007,
  CallRetention1764200000008,
  Training1764200000009,
  ChatTracing1764200000010,
  LoraRank1764200000011,
  RepeatedJobs1764200000012,
  PlaceNames1764200000013,
  Responses1764200000020,
  SdkRuns1764200000030,
  SdkArtifacts1764200000031,
  CauseTokens1764200000032,
  ObjectPublications1764200000050,
  CallRollups1764200000060,
  AuditLog1764200000070,
  DeletedTraceProjects1764200000071,
  ArtifactTtl1764200000080,
  CallCollections1764200000081,
  BackgroundResponses1764200000090,
  PlannedTimes1764200000091,
  HeldBlobs1764200000092,
];
