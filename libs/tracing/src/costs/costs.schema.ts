import Type, { type Static } from 'typebox';
import { Limit, Offset, ProjectId, PurgeQuery, SortBy } from '../request/page.schema.js';

const Optional = Type.Optional;
const Cost = Type.Number({ minimum: 0, maximum: 1e12, description: 'For one token' });

const CacheCost = Type.Number({ ...Cost, description: 'For one token. Default: what other input tokens cost' });

/** What one model costs from a date on. */
export const NewPrice = Type.Object({
  prompt_token_cost: Cost,
  completion_token_cost: Cost,
  cache_read_input_token_cost: Optional(CacheCost),
  cache_creation_input_token_cost: Optional(CacheCost),
  prompt_token_cost_unit: Optional(Type.String({ maxLength: 64 })),
  completion_token_cost_unit: Optional(Type.String({ maxLength: 64 })),
  effective_date: Optional(Type.String({ description: 'ISO 8601, UTC where no offset is given. Default: now' })),
  provider_id: Optional(Type.String({ maxLength: 256 })),
});
export type NewPrice = Static<typeof NewPrice>;

export const CostsProject = Type.Object({ project_id: ProjectId });
export const CreateCosts = Type.Intersect([
  CostsProject,
  Type.Object({ costs: Type.Record(Type.String(), NewPrice, { description: 'By the name of the model' }) }),
]);
export const CreatedCosts = Type.Object({
  ids: Type.Array(Type.Array(Type.String()), { description: 'Pairs of price id and model name' }),
});

const Query = Type.Object({ $expr: Type.Unknown() }, { description: 'The same language as for calls' });
export const QueryCosts = Type.Object({
  project_id: ProjectId,
  fields: Optional(Type.Array(Type.String())),
  limit: Optional(Limit),
  offset: Optional(Offset),
  sort_by: Optional(SortBy),
});
export type QueryCosts = Static<typeof QueryCosts>;
export const QueryCostsBody = Type.Intersect([QueryCosts, Type.Object({ query: Optional(Query) })]);
export const PurgeCostsBody = Type.Intersect([CostsProject, Type.Object({ query: PurgeQuery })]);

export const CostsFound = Type.Object({
  results: Type.Array(
    Type.Partial(
      Type.Object({
        id: Type.String(),
        llm_id: Type.String(),
        provider_id: Type.String(),
        prompt_token_cost: Type.Number(),
        completion_token_cost: Type.Number(),
        cache_read_input_token_cost: Type.Number(),
        cache_creation_input_token_cost: Type.Number(),
        prompt_token_cost_unit: Type.String(),
        completion_token_cost_unit: Type.String(),
        effective_date: Type.String({ format: 'date-time' }),
      }),
    ),
  ),
});
export const Nothing = Type.Object({});
