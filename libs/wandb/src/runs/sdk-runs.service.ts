import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { EntityNotFoundError, type Principal } from '@heddle/auth';
import { type PlaceRole, Run } from '@heddle/database';
import { NotFoundError, ValidationError } from '@heddle/http';
import { ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { RunExistsError, RunNotFoundError, RunsRepository, RunWriter } from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { projectNameOf } from '../projects/project-name.js';
import { checkRunName, readRunDetails, readState, type UpsertBucketInput } from './run-input.js';
import { RunBranchesService } from './run-branches.service.js';
import type { RunSource } from './run-source.js';
import { branchPointOf, keepForeignConfig, keepOthersConfig } from './sdk-config.js';

export interface RunPlace {
  entityName?: string | null;
  projectName?: string | null;
  runName: string;
}

/** Runs as the SDK writes them. What it writes goes through the one writer of runs. */
@Injectable()
export class SdkRunsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly runs: RunsRepository,
    private readonly branches: RunBranchesService,
    private readonly writer: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** By the name that the client has for it: the run's own, or the id that this server gave it, as ART does. */
  async findIn({ id }: ProjectRef, name: string): Promise<Run | null> {
    const named = await this.runs.findByName(id, name);
    if (named) return named;
    const found = await this.runs.findWithPlace(name);
    return found?.run.projectId === id ? found.run : null;
  }

  async find(caller: Principal, place: RunPlace, role: PlaceRole): Promise<RunSource> {
    const name = projectNameOf(caller, place.entityName, place.projectName);
    const project = await this.access.requireRole(caller, name, role);
    const run = await this.findIn(project, place.runName);
    if (!run) throw new RunNotFoundError(place.runName, `${project.entity}/${project.name}`);
    return { run, project };
  }

  /** By the id that this server gave it. Another team's is as one that doesn't exist. */
  async findById(caller: Principal, id: string, role: PlaceRole): Promise<RunSource> {
    const found = await this.runs.findWithPlace(id);
    if (!found) throw new RunNotFoundError(id, 'of yours');
    try {
      return { run: found.run, project: await this.access.requireRole(caller, found.place, role) };
    } catch (error) {
      if (error instanceof EntityNotFoundError) throw new RunNotFoundError(id, 'of yours');
      throw error;
    }
  }

  /** As {@link findById}, but null for what the caller can't see. */
  async findVisible(caller: Principal, id: string): Promise<RunSource | null> {
    try {
      return await this.findById(caller, id, 'viewer');
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  /** Makes a run or changes it. One that is named, not found by its id, begins or goes on: it runs. */
  async upsert(caller: Principal, input: UpsertBucketInput): Promise<RunSource & { inserted: boolean }> {
    if (input.sweep) throw ValidationError.at(['variables', 'sweep'], 'Sweeps are not served', 'sweeps');
    const details = readRunDetails(input);
    if (input.id) {
      const { run, project } = await this.findById(caller, input.id, 'member');
      const changes = { ...keepForeignConfig(details, run), state: readState(input.state) };
      return { run: await this.update(caller, project, run.id, changes), project, inserted: false };
    }
    const project = await this.access.findOrCreate(caller, projectNameOf(caller, input.entityName, input.modelName));
    const name = input.name ? checkRunName(input.name) : undefined;
    return this.dataSource.transaction(async (manager) => {
      const known = name === undefined ? null : await this.findIn(project, name);
      if (known) return { run: await this.resume(manager, caller, project, known, input), project, inserted: false };
      const source = await this.sourceOf(project, input);
      const run = await this.create(manager, caller, project, { ...details, ...(name && { name }) });
      if (run && source) {
        const forked = await this.branches.fork(manager, caller, project, source.run, run, source.step);
        return { run: forked, project, inserted: true };
      }
      if (run) return { run, project, inserted: true };
      const other = await this.runs.findByName(project.id, name!);
      return { run: await this.resume(manager, caller, project, other!, input), project, inserted: false };
    });
  }

  async stop(caller: Principal, id: string): Promise<RunSource> {
    const { run, project } = await this.findById(caller, id, 'member');
    return { run: await this.update(caller, project, run.id, { stopRequested: true }), project };
  }

  async delete(caller: Principal, id: string): Promise<void> {
    const { run, project } = await this.findById(caller, id, 'member');
    await this.writer.delete(this.dataSource.manager, project.id, run.id);
  }

  /** Takes back what was logged after a step; the run goes on from there. */
  async rewind(caller: Principal, place: RunPlace, metric: string, lastStep: number): Promise<RunSource> {
    if (metric !== '_step') throw ValidationError.at(['variables', 'metricName'], 'must be _step', 'metric_name');
    const { run, project } = await this.find(caller, place, 'member');
    const step = Math.max(-1, Math.floor(lastStep));
    const rewound = await this.dataSource.transaction((manager) =>
      this.branches.rewind(manager, caller, project, run, step),
    );
    return { run: rewound, project };
  }

  /** What a new run parts from. @throws RunNotFoundError */
  private async sourceOf(project: ProjectRef, input: UpsertBucketInput): Promise<{ run: Run; step: number } | null> {
    const point = branchPointOf(input.config);
    if (!point) return null;
    const run = await this.findIn(project, point.run);
    if (!run) throw new RunNotFoundError(point.run, `${project.entity}/${project.name}`);
    return { run, step: point.step };
  }

  private async create(
    manager: EntityManager,
    caller: Principal,
    project: ProjectRef,
    fields: Parameters<RunWriter['create']>[3],
  ): Promise<Run | null> {
    try {
      const { id } = await this.writer.create(manager, caller, project, fields);
      return await this.writer.update(manager, caller, project, id, { heartbeatAt: new Date() });
    } catch (error) {
      // Somebody else made it at this moment.
      if (error instanceof RunExistsError && fields.name) return null;
      throw error;
    }
  }

  private async resume(
    manager: EntityManager,
    caller: Principal,
    project: ProjectRef,
    { id }: Run,
    input: UpsertBucketInput,
  ): Promise<Run> {
    // Held, so that of two programs at once each finds what the other has set.
    const run = await this.writer.update(manager, caller, project, id, {});
    // A new session is not to stop because an older one was told to.
    const begins = run.state !== 'RUNNING' && { stopRequested: false };
    const keep = run.state === 'RUNNING' ? keepOthersConfig : keepForeignConfig;
    const details = keep(readRunDetails(input), run);
    const changes = { ...details, state: 'RUNNING' as const, heartbeatAt: new Date(), ...begins };
    return this.writer.update(manager, caller, project, run.id, changes);
  }

  private update(
    caller: Principal,
    project: ProjectRef,
    id: string,
    changes: Parameters<RunWriter['update']>[4],
  ): Promise<Run> {
    return this.dataSource.transaction((manager) => this.writer.update(manager, caller, project, id, changes));
  }
}
