import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { PlaceRole, Run } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import type { DataSource } from 'typeorm';
import type { MetricPoint } from './metric-point.js';
import type { NewRun, RunChanges } from './run-changes.js';
import { type LoggedMetrics, RunWriter } from './run.writer.js';
import { RunNotFoundError } from './runs.errors.js';
import { type RunFilter, RunsRepository } from './runs.repository.js';

export interface RunName extends ProjectName {
  run: string;
}

/** Runs as their users see them: project viewers read, project members write. */
@Injectable()
export class RunsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly runs: RunsRepository,
    private readonly writer: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async create(caller: Principal, name: ProjectName, fields: NewRun): Promise<Run> {
    const project = await this.access.requireRole(caller, name, 'member');
    return this.dataSource.transaction((manager) => this.writer.create(manager, caller, project, fields));
  }

  async list(caller: Principal, name: ProjectName, filter: RunFilter, query: PageQuery): Promise<Run[]> {
    const project = await this.access.get(caller, name);
    return this.runs.findPage(project.id, filter, query);
  }

  async get(caller: Principal, name: RunName): Promise<Run> {
    return (await this.find(caller, name, 'viewer')).run;
  }

  async update(caller: Principal, name: RunName, changes: RunChanges): Promise<Run> {
    const { project, run } = await this.find(caller, name, 'member');
    return this.dataSource.transaction((manager) => this.writer.update(manager, caller, project, run.id, changes));
  }

  async log(caller: Principal, name: RunName, points: readonly MetricPoint[]): Promise<LoggedMetrics> {
    const { project, run } = await this.find(caller, name, 'member');
    return this.dataSource.transaction((manager) => this.writer.logMetrics(manager, caller, project, run.id, points));
  }

  async delete(caller: Principal, name: RunName): Promise<void> {
    const { project, run } = await this.find(caller, name, 'member');
    await this.writer.delete(this.dataSource.manager, project.id, run.id);
  }

  private async find(caller: Principal, name: RunName, role: PlaceRole): Promise<{ project: ProjectRef; run: Run }> {
    const project = await this.access.requireRole(caller, name, role);
    const run = await this.runs.findByName(project.id, name.run);
    if (!run) throw new RunNotFoundError(name.run, `${project.entity}/${project.name}`);
    return { project, run };
  }
}
