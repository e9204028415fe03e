import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Run } from '@heddle/database';
import { type Actor, DomainEventsService, type EventPlace, type RunSubject } from '@heddle/events';
import type { ProjectRef } from '@heddle/projects';
import type { EntityManager } from 'typeorm';
import { stepsByMetric, toMetricColumns } from './metric-columns.js';
import type { MetricPoint } from './metric-point.js';
import { columnsOf, type NewRun, type RunChanges } from './run-changes.js';
import { RunExistsError, RunNotFoundError } from './runs.errors.js';
import { RunsRepository } from './runs.repository.js';

export interface LoggedMetrics {
  /** Values written. */
  values: number;
  /** The run's greatest step; null where it has none. */
  lastStep: number | null;
}

/**
 * Writes runs inside the caller's transaction, each change with its domain event. Who may do so is for callers to check:
 * requests, by way of RunsService, and features that have runs of their own.
 */
@Injectable()
export class RunWriter {
  constructor(
    private readonly runs: RunsRepository,
    private readonly events: DomainEventsService,
  ) {}

  /** Creates a run, in state RUNNING. @throws RunExistsError */
  async create(manager: EntityManager, actor: Actor, project: ProjectRef, fields: NewRun): Promise<Run> {
    const { name = randomBytes(5).toString('hex'), ...details } = fields;
    const run = await this.runs.insert(manager, {
      displayName: name,
      config: '{}',
      ...columnsOf(details),
      projectId: project.id,
      name,
      state: 'RUNNING',
      createdBy: actor.username,
    });
    if (!run) throw new RunExistsError(name, `${project.entity}/${project.name}`);
    await this.publishState(manager, actor, project, run);
    return run;
  }

  /** Changes what is named. A run that is in the state already stays as it is, without an event. */
  async update(
    manager: EntityManager,
    actor: Actor,
    project: ProjectRef,
    runId: string,
    changes: RunChanges,
  ): Promise<Run> {
    const run = await this.lock(manager, project, runId);
    const columns = columnsOf(changes);
    const moves = columns.state !== undefined && columns.state !== run.state;
    if (moves) columns.stateChangedAt = new Date();
    if (Object.keys(columns).length > 0) await manager.update(Run, run.id, columns);
    Object.assign(run, columns);
    if (moves) await this.publishState(manager, actor, project, run);
    return run;
  }

  /**
   * Adds points to the run's history in one statement. A value for a metric and a step that has one replaces it, so that
   * a batch with steps may be sent twice. @throws ValidationError that names the point and the metric
   */
  async logMetrics(
    manager: EntityManager,
    actor: Actor,
    project: ProjectRef,
    runId: string,
    points: readonly MetricPoint[],
  ): Promise<LoggedMetrics> {
    const run = await this.lock(manager, project, runId);
    const before = run.lastStep === null ? null : Number(run.lastStep);
    const columns = await toMetricColumns(points, before, new Date());
    const lastStep = columns.lastStep ?? before;
    if (columns.names.length === 0) return { values: 0, lastStep: before };
    await this.runs.insertMetrics(manager, run.id, columns);
    await manager.update(Run, run.id, { lastStep: String(lastStep) });
    await this.events.publish(manager, {
      type: 'RUN_METRICS_LOGGED',
      actor,
      place: placeOf(project),
      ...subjectOf(run),
      metrics: stepsByMetric(columns),
    });
    return { values: columns.names.length, lastStep };
  }

  /** Deletes the run with its history. @returns false where there is none */
  async delete(manager: EntityManager, projectId: number, runId: string): Promise<boolean> {
    return (await manager.delete(Run, { projectId, id: runId })).affected === 1;
  }

  private async lock(manager: EntityManager, project: ProjectRef, runId: string): Promise<Run> {
    const run = await this.runs.lock(manager, project.id, runId);
    if (!run) throw new RunNotFoundError(runId, `${project.entity}/${project.name}`);
    return run;
  }

  private async publishState(manager: EntityManager, actor: Actor, project: ProjectRef, run: Run): Promise<void> {
    const event = { type: 'RUN_STATE', actor, place: placeOf(project), ...subjectOf(run), state: run.state } as const;
    await this.events.publish(manager, event);
  }
}

const placeOf = ({ id, name, teamId, entity }: ProjectRef): EventPlace => ({
  teamId,
  entity,
  project: { id, name },
  registry: null,
});

const subjectOf = ({ id, name, displayName, createdBy }: Run): RunSubject => ({
  run: { id, name, displayName, createdBy },
});
