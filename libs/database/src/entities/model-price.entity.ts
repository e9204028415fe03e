import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What a project pays for one token of a model from a date on. Costs are per token, in `*Unit` (USD). */
@Entity('model_prices')
@Index('model_prices_llm_id_idx', ['projectId', 'llmId', 'effectiveDate'])
export class ModelPrice {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'model_prices_pkey' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  /** The model's name as calls report it in `summary.usage`. */
  @Column({ type: 'text', name: 'llm_id', collation: 'C' })
  llmId: string;

  @Column('text', { name: 'provider_id' })
  providerId: string;

  @Column('double precision', { name: 'prompt_token_cost' })
  promptTokenCost: number;

  @Column('double precision', { name: 'completion_token_cost' })
  completionTokenCost: number;

  @Column('double precision', { name: 'cache_read_input_token_cost' })
  cacheReadInputTokenCost: number;

  @Column('double precision', { name: 'cache_creation_input_token_cost' })
  cacheCreationInputTokenCost: number;

  @Column('text', { name: 'prompt_token_cost_unit' })
  promptTokenCostUnit: string;

  @Column('text', { name: 'completion_token_cost_unit' })
  completionTokenCostUnit: string;

  @Column('timestamptz', { name: 'effective_date' })
  effectiveDate: Date;

  @Column('text', { name: 'created_by' })
  createdBy: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
