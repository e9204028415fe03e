import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Checkpoint, isUuid } from '@heddle/database';
import { type PageQuery, ValidationError } from '@heddle/http';
import { type EntityManager, In, LessThan, MoreThan, type Repository } from 'typeorm';

@Injectable()
export class CheckpointsRepository {
  constructor(@InjectRepository(Checkpoint) private readonly checkpoints: Repository<Checkpoint>) {}

  /** The one with the greatest step; null while the model is at step 0. */
  findLatest(modelId: string, manager: EntityManager = this.checkpoints.manager): Promise<Checkpoint | null> {
    return manager.findOne(Checkpoint, { where: { modelId }, order: { step: 'DESC' } });
  }

  findByStep(modelId: string, step: number): Promise<Checkpoint | null> {
    return this.checkpoints.findOneBy({ modelId, step });
  }

  /** The one whose files an artifact version holds. */
  findByVersion(modelId: string, versionId: string): Promise<Checkpoint | null> {
    return this.checkpoints.findOneBy({ modelId, versionId });
  }

  /** By step, in ascending order. */
  findSteps(modelId: string, steps: readonly number[], manager: EntityManager): Promise<Checkpoint[]> {
    return manager.find(Checkpoint, { where: { modelId, step: In(steps) }, order: { step: 'ASC' } });
  }

  /** Greatest step by model; those at step 0 are not among them. */
  async latestSteps(modelIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.checkpoints.query<{ model_id: string; step: number }[]>(
      'SELECT model_id, max(step) AS step FROM checkpoints WHERE model_id = ANY($1) GROUP BY model_id',
      [modelIds],
    );
    return new Map(rows.map(({ model_id, step }) => [model_id, step]));
  }

  /** Clients choose the best step by what was logged at it. What has a metric's name already is replaced. */
  async addMetrics(manager: EntityManager, { id, metrics: before }: Checkpoint, more: Record<string, number>) {
    const metrics = JSON.stringify({ ...(JSON.parse(before) as Record<string, number>), ...more });
    await manager.update(Checkpoint, id, { metrics });
  }

  /** What follows the cursor, by step: `limit` + 1 where there are as many. */
  async findPage(modelId: string, { after, limit, order }: PageQuery): Promise<Checkpoint[]> {
    const cursor = after !== undefined && isUuid(after) ? await this.find(modelId, after) : null;
    if (after !== undefined && !cursor) {
      throw ValidationError.at(['query', 'after'], 'No item of this list has this id', 'cursor', after);
    }
    const follows = order === 'asc' ? MoreThan : LessThan;
    return this.checkpoints.find({
      where: { modelId, ...(cursor && { step: follows(cursor.step) }) },
      order: { step: order },
      take: limit + 1,
    });
  }

  private find(modelId: string, id: string): Promise<Checkpoint | null> {
    return this.checkpoints.findOneBy({ modelId, id });
  }
}
