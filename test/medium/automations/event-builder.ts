import { randomUUID } from 'node:crypto';
import type { DomainEvent, EventPlace } from '@heddle/events';

type Fields = Record<string, unknown>;

/** A domain event of any type; what a test doesn't name is the same each time. */
export function domainEvent(type: DomainEvent['type'], place: EventPlace, fields: Fields = {}): DomainEvent {
  const actor = { userId: randomUUID(), username: 'ada' };
  const collection = { id: randomUUID(), name: 'chat-model', type: 'model' };
  const ref = 'weavers/loom/chat-model:v3';
  const version = { id: randomUUID(), index: 3, ref, source: ref, metadata: { accuracy: 0.93 } };
  const run = { id: randomUUID(), name: 'a1b2', displayName: 'nightly 42', createdBy: 'ada' };
  const job = { id: randomUUID(), kind: 'rl', modelId: randomUUID(), modelName: 'agent', step: 7 };
  const common = { type, actor, place };
  const byType: Record<DomainEvent['type'], Fields> = {
    LINK_ARTIFACT: { collection, version },
    UNLINK_ARTIFACT: { collection, version },
    CREATE_ARTIFACT: { collection, version },
    ADD_ARTIFACT_ALIAS: { collection, version, alias: 'production' },
    ADD_ARTIFACT_TAG: { collection, version, tag: 'approved' },
    REMOVE_ARTIFACT_TAG: { collection, version, tag: 'approved' },
    ADD_COLLECTION_TAG: { collection, tag: 'approved' },
    REMOVE_COLLECTION_TAG: { collection, tag: 'approved' },
    RUN_STATE: { run, state: 'FAILED' },
    RUN_ALERT: { run, title: 'low accuracy', text: 'It is 0.2', severity: 'WARN' },
    RUN_METRICS_LOGGED: { run, metrics: [{ name: 'loss', firstStep: 0, lastStep: 0, count: 1 }] },
    TRAINING_JOB_STATE: { run, job, state: 'FINISHED' },
  };
  return { ...common, ...byType[type], ...fields } as DomainEvent;
}
