import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { Run } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';
import { RunBranchesRepository, RunWriter } from '@heddle/runs';
import type { EntityManager } from 'typeorm';
import { RunFilesRepository } from './files/run-files.repository.js';

/** Runs that go on from a step, their own or another's. Its client begins at the step behind it. */
@Injectable()
export class RunBranchesService {
  constructor(
    private readonly branches: RunBranchesRepository,
    private readonly files: RunFilesRepository,
    private readonly writer: RunWriter,
  ) {}

  /** Gives a run that was just made the history of another of its project, until a step. */
  async fork(
    manager: EntityManager,
    caller: Principal,
    project: ProjectRef,
    from: Run,
    run: Run,
    step: number,
  ): Promise<Run> {
    await this.branches.fork(manager, from.id, run.id, step);
    await this.files.copyMedia(manager, from.id, run.id);
    return this.settle(manager, caller, project, run.id);
  }

  /** Takes back what a run logged after a step, which may be -1. It runs again. */
  async rewind(manager: EntityManager, caller: Principal, project: ProjectRef, run: Run, step: number): Promise<Run> {
    await this.branches.rewind(manager, run.id, step);
    const alive = { state: 'RUNNING', heartbeatAt: new Date(), stopRequested: false } as const;
    await this.writer.update(manager, caller, project, run.id, alive);
    return this.settle(manager, caller, project, run.id);
  }

  /** The summary was that of another step: it is made of what is there. */
  private async settle(manager: EntityManager, caller: Principal, project: ProjectRef, runId: string): Promise<Run> {
    const lastStep = await this.branches.lastStep(manager, runId);
    const values = await this.branches.lastValues(manager, runId);
    const summary = summaryOf({ ...values, ...(lastStep !== null && { _step: Number(lastStep) }) });
    return this.writer.update(manager, caller, project, runId, { lastStep, summary });
  }
}

/** As the SDK writes it: NaN and the infinities stand bare. */
const summaryOf = (values: Record<string, number>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
    .join()}}`;
