import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TrajectoryLog } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { Repository } from 'typeorm';

export interface TrajectoryLogFilter {
  split?: string;
  step?: number;
}

@Injectable()
export class TrajectoryLogsRepository {
  constructor(@InjectRepository(TrajectoryLog) private readonly logs: Repository<TrajectoryLog>) {}

  find(modelId: string, id: string): Promise<TrajectoryLog | null> {
    return this.logs.findOneBy({ modelId, id });
  }

  findPage(modelId: string, { split, step }: TrajectoryLogFilter, query: PageQuery): Promise<TrajectoryLog[]> {
    const list = this.logs.createQueryBuilder('log').where('log.modelId = :modelId', { modelId });
    if (split !== undefined) list.andWhere('log.split = :split', { split });
    if (step !== undefined) list.andWhere('log.step = :step', { step });
    return findPage(list, query);
  }

  /** Which of these files no row names. */
  async unnamed(paths: readonly string[]): Promise<string[]> {
    const rows = await this.logs.query<{ path: string }[]>(
      `SELECT f.path FROM unnest($1::text[]) AS f (path)
        WHERE NOT EXISTS (SELECT FROM trajectory_logs l WHERE l.path = f.path)
          AND NOT EXISTS (SELECT FROM training_jobs j WHERE j.data = f.path)`,
      [paths],
    );
    return rows.map(({ path }) => path);
  }
}
