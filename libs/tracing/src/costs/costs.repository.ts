import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type pg from 'pg';
import { QuerySql } from '../query/query-sql.js';
import { isoTime } from '../query/time-literal.js';
import { type QueryColumn, columnOperand } from '../query/column-operand.js';
import { conditionOf, type FieldOf, sortOf } from '../query/expression.js';
import type { QueryCosts } from './costs.schema.js';
import type { Price } from './model-price.js';

/** A project's own price. Texts as stored. */
export interface PriceRow extends Price {
  id: string;
}

export type NewPriceRow = Omit<Price, 'pricing_level' | 'pricing_level_id' | 'created_at' | 'effective_date'> & {
  /** Microseconds since 1970. */
  effective_micros: bigint;
};

const COLUMNS: Readonly<Record<string, QueryColumn>> = {
  id: 'text',
  llm_id: 'text',
  provider_id: 'text',
  prompt_token_cost: 'number',
  completion_token_cost: 'number',
  cache_read_input_token_cost: 'number',
  cache_creation_input_token_cost: 'number',
  prompt_token_cost_unit: 'text',
  completion_token_cost_unit: 'text',
  effective_date: 'time',
  created_at: 'time',
  created_by: 'text',
};

@Injectable()
export class CostsRepository {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  /** Returns the ids, in the order of the prices. */
  async add(projectId: number, prices: NewPriceRow[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(ADD, [projectId, JSON.stringify(prices.map(toJson))]);
    return rows.map(({ id }) => id);
  }

  /** All prices of a project. */
  async all(projectId: number): Promise<PriceRow[]> {
    const { rows } = await this.pool.query<PriceRow>(`${SELECT} WHERE c.project_id = $1`, [projectId]);
    return rows;
  }

  async query(projectId: number, request: QueryCosts, body: JsonNode): Promise<PriceRow[]> {
    const { text, values } = this.statement(projectId, request, body);
    const { rows } = await this.pool.query<PriceRow>(text, values);
    return rows;
  }

  /** What is no uuid is nobody's id. */
  async purge(projectId: number, ids: string[]): Promise<void> {
    await this.pool.query('DELETE FROM model_prices WHERE project_id = $1 AND id::text = ANY($2)', [projectId, ids]);
  }

  /** @throws ValidationError for what the query language doesn't have; also used to check a query before a project exists */
  statement(projectId: number, request: QueryCosts, body: JsonNode): { text: string; values: unknown[] } {
    const sql = new QuerySql();
    const where = [`c.project_id = ${sql.bind(projectId, 'int')}`, conditionOf(body, sql, fieldOf) ?? 'true'];
    const order = [...sortOf(request.sort_by ?? [], fieldOf), 'c.created_at', 'c.id'];
    const page = `LIMIT ${sql.bind(request.limit ?? null, 'int')} OFFSET ${sql.bind(request.offset ?? 0, 'int')}`;
    const text = `${SELECT} ${sql.joins()} WHERE ${where.join(' AND ')} ORDER BY ${order.join(', ')} ${page}`;
    return { text, values: sql.values };
  }
}

const fieldOf: FieldOf = (name, loc) => {
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  if (!column) throw ValidationError.at(loc, 'Costs have no such field', 'unknown_field', name.slice(0, 100));
  return columnOperand(column, name === 'id' ? 'c.id::text' : `c.${name}`);
};

const toJson = ({ effective_micros, ...price }: NewPriceRow): object => ({
  ...price,
  effective_micros: effective_micros.toString(),
});

const ADD = `
  INSERT INTO model_prices (project_id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
    cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit,
    effective_date, created_by)
  SELECT $1, llm_id, provider_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
    cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit,
    timestamptz 'epoch' + effective_micros * interval '1 microsecond', created_by
  FROM json_to_recordset($2::json) AS price (llm_id text, provider_id text, prompt_token_cost float8,
    completion_token_cost float8, cache_read_input_token_cost float8, cache_creation_input_token_cost float8,
    prompt_token_cost_unit text, completion_token_cost_unit text, effective_micros bigint, created_by text)
  RETURNING id`;

const SELECT = `
  SELECT c.id, c.llm_id, c.provider_id, c.prompt_token_cost, c.completion_token_cost, c.cache_read_input_token_cost,
    c.cache_creation_input_token_cost, c.prompt_token_cost_unit, c.completion_token_cost_unit,
    ${isoTime('c.effective_date')} AS effective_date, ${isoTime('c.created_at')} AS created_at, c.created_by,
    'project' AS pricing_level
  FROM model_prices c`;
