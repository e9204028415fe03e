import type { EntityManager } from 'typeorm';

/** The run of a model's metrics; null where somebody has deleted it. */
export async function runOf(manager: EntityManager, modelId: string): Promise<string | null> {
  const [model] = await manager.query<{ run_id: string | null }[]>('SELECT run_id FROM models WHERE id = $1', [
    modelId,
  ]);
  return model?.run_id ?? null;
}
