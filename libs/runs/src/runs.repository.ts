import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUuid, Run, type RunState } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { EntityManager, Repository } from 'typeorm';
import { VALUES_PER_TURN } from './metric-columns.js';
import type { MetricColumns } from './metric-point.js';

export interface RunFilter {
  state?: RunState;
  /** Part of the name or of the display name, in any case. */
  name?: string;
}

const INSERT_METRICS = `
  INSERT INTO run_metrics (run_id, name, step, value, logged_at)
  SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::double precision[], $5::timestamptz[])
  ON CONFLICT (run_id, name, step) DO UPDATE SET value = excluded.value, logged_at = excluded.logged_at`;

@Injectable()
export class RunsRepository {
  constructor(@InjectRepository(Run) private readonly runs: Repository<Run>) {}

  findByName(projectId: number, name: string): Promise<Run | null> {
    return this.runs.findOneBy({ projectId, name });
  }

  /** By its id, with the place that decides who may see it. */
  async findWithPlace(id: string): Promise<{ run: Run; place: { entity: string; project: string } } | null> {
    if (!isUuid(id)) return null;
    const run = await this.runs.findOne({ where: { id }, relations: { project: { team: true } } });
    return run && { run, place: { entity: run.project.team.name, project: run.project.name } };
  }

  findPage(projectId: number, { state, name }: RunFilter, query: PageQuery): Promise<Run[]> {
    const runs = this.runs.createQueryBuilder('run').where('run.projectId = :projectId', { projectId });
    if (state) runs.andWhere('run.state = :state', { state });
    if (name) {
      runs.andWhere('(strpos(lower(run.name), lower(:name)) > 0 OR strpos(lower(run.displayName), lower(:name)) > 0)', {
        name,
      });
    }
    return findPage(runs, query);
  }

  /** @returns null where the project has a run of that name */
  async insert(manager: EntityManager, run: Partial<Run>): Promise<Run | null> {
    const { identifiers } = await manager.createQueryBuilder().insert().into(Run).values(run).orIgnore().execute();
    const id = (identifiers[0] as { id: string } | undefined)?.id;
    return id === undefined ? null : manager.findOneByOrFail(Run, { id });
  }

  /** The run, held against other writers until the transaction ends. */
  lock(manager: EntityManager, projectId: number, id: string): Promise<Run | null> {
    return manager.findOne(Run, { where: { projectId, id }, lock: { mode: 'for_no_key_update' } });
  }

  async insertMetrics(manager: EntityManager, runId: string, columns: MetricColumns): Promise<void> {
    const { names, steps, values, timestamps } = columns;
    // In parts: the driver writes each list into one text, and holds everybody up meanwhile.
    for (let from = 0; from < names.length; from += VALUES_PER_TURN) {
      const part = [names, steps, values, timestamps].map((column) => column.slice(from, from + VALUES_PER_TURN));
      await manager.query(INSERT_METRICS, [runId, ...part]);
    }
  }
}
