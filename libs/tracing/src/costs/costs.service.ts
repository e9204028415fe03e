import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { decodeText, encodeText, type JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import { LRUCache } from 'lru-cache';
import { nowMicros, parseTimestamp } from '../values/timestamp.js';
import { idsToPurge } from '../request/purge-ids.js';
import { fieldReader } from '../request/read-fields.js';
import { storedName } from '../request/stored-text.js';
import { callCosts, type CostedCall } from './call-costs.js';
import { CostsRepository, type NewPriceRow, type PriceRow } from './costs.repository.js';
import { NewPrice, type QueryCosts } from './costs.schema.js';
import { DEFAULT_PRICES } from './default-prices.js';
import type { Price } from './model-price.js';
import { type PriceSpan, priceSpans } from './price-spans.js';

const readNewPrice = fieldReader(NewPrice);
/** Seconds for which a project's prices are remembered; a change shows within them. */
const CACHE_SECONDS = 5;

@Injectable()
export class CostsService {
  private readonly known = new LRUCache<number, Map<string, Price[]>>({ max: 1000, ttl: CACHE_SECONDS * 1000 });

  constructor(
    private readonly projects: ProjectAccessService,
    private readonly costs: CostsRepository,
  ) {}

  /**
   * What the calls of one project cost: JSON texts for `summary.weave.costs`, in their order; undefined for a call that
   * used no priced model. One statement for any number of calls.
   * @param project its id, and its name on the wire
   */
  async ofCalls(
    project: Pick<ProjectRef, 'id' | 'entity' | 'name'>,
    calls: readonly CostedCall[],
  ): Promise<(Buffer | undefined)[]> {
    const own = await this.pricesOf(project);
    return calls.map((call) => callCosts(call, (llmId) => withListed(own, llmId)));
  }

  /** What the tokens of every model that has a price cost in a project, and when. */
  async spans(project: Pick<ProjectRef, 'id' | 'entity' | 'name'>): Promise<PriceSpan[]> {
    const own = await this.pricesOf(project);
    const models = new Set([...own.keys(), ...DEFAULT_PRICES.keys()]);
    return [...models].flatMap((llmId) => priceSpans(withListed(own, llmId)));
  }

  /** Sets prices of a project. Returns pairs of price id and model name. */
  async create(caller: Principal, projectId: string, costs: JsonNode): Promise<[string, string][]> {
    const project = await this.projects.findOrCreate(caller, parseProjectId(projectId));
    const models = [...costs.entries()];
    const prices = models.map(([model, node]) => newPrice(model, node, caller.username));
    const ids = await this.costs.add(project.id, prices);
    this.known.delete(project.id);
    return ids.map((id, i) => [id, models[i]![0]]);
  }

  async query(caller: Principal, request: QueryCosts, body: JsonNode): Promise<Partial<PriceRow>[]> {
    const project = await this.projects.find(caller, parseProjectId(request.project_id));
    if (!project) this.costs.statement(0, request, body);
    const rows = project ? await this.costs.query(project.id, request, body) : [];
    return rows.map((row) => {
      const all = Object.entries(decoded(row)).filter(([name]) => WIRE_FIELDS.has(name));
      return Object.fromEntries(request.fields ? all.filter(([name]) => request.fields!.includes(name)) : all);
    });
  }

  async purge(caller: Principal, projectId: string, body: JsonNode): Promise<void> {
    const project = await this.projects.findWritable(caller, parseProjectId(projectId));
    const ids = idsToPurge(body).map(encodeText);
    if (!project) return;
    await this.costs.purge(project.id, ids);
    this.known.delete(project.id);
  }

  private async pricesOf(project: Pick<ProjectRef, 'id' | 'entity' | 'name'>): Promise<Map<string, Price[]>> {
    const known = this.known.get(project.id);
    if (known) return known;
    const prices = new Map<string, Price[]>();
    for (const { id: _, ...row } of await this.costs.all(project.id)) {
      const price = { ...row, pricing_level_id: `${project.entity}/${project.name}` };
      prices.set(row.llm_id, [...(prices.get(row.llm_id) ?? []), price]);
    }
    this.known.set(project.id, prices);
    return prices;
  }
}

function withListed(own: ReadonlyMap<string, Price[]>, llmId: string): Price[] {
  const listed = DEFAULT_PRICES.get(llmId);
  return [...(own.get(llmId) ?? []), ...(listed ? [listed] : [])];
}

const WIRE_FIELDS = new Set(['id', 'llm_id', 'effective_date', ...Object.keys(NewPrice.properties)]);

function decoded<T extends object>(row: T): T {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? decodeText(value) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

function newPrice(model: string, node: JsonNode, createdBy: string): NewPriceRow {
  const loc = ['body', 'costs', model];
  const price = readNewPrice(node, loc);
  const effective = price.effective_date === undefined ? nowMicros() : parseTimestamp(price.effective_date);
  if (effective === undefined)
    throw ValidationError.at([...loc, 'effective_date'], 'must be an ISO 8601 time', 'datetime');
  return {
    llm_id: storedName(model, loc),
    provider_id: encodeText(price.provider_id ?? 'default'),
    prompt_token_cost: price.prompt_token_cost,
    completion_token_cost: price.completion_token_cost,
    cache_read_input_token_cost: price.cache_read_input_token_cost ?? price.prompt_token_cost,
    cache_creation_input_token_cost: price.cache_creation_input_token_cost ?? price.prompt_token_cost,
    prompt_token_cost_unit: encodeText(price.prompt_token_cost_unit ?? 'USD'),
    completion_token_cost_unit: encodeText(price.completion_token_cost_unit ?? 'USD'),
    effective_micros: effective,
    created_by: createdBy,
  };
}
