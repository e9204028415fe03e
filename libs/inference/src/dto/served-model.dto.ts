/** A model that may be chatted with, in OpenAI's form. */
export class ServedModelDto {
  /**
   * For a chat's `model`.
   * @example "wandb-artifact:///weavers/loom/agent.001"
   */
  id: string;

  object: 'model';

  /**
   * Seconds since 1970; 0 for base models.
   * @example 1767225600
   */
  created: number;

  /**
   * The team; `heddle` for base models.
   * @example "weavers"
   */
  owned_by: string;

  static from({ id, createdAt, owner }: { id: string; createdAt: Date | null; owner: string }): ServedModelDto {
    const created = createdAt === null ? 0 : Math.floor(createdAt.getTime() / 1000);
    return { id, object: 'model', created, owned_by: owner };
  }
}

export class ServedModelListDto {
  object: 'list';
  data: ServedModelDto[];
}
