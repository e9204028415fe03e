import { Body } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { wrongKind } from '../request/wrong-kind.js';
import {
  CostsFound,
  CostsProject,
  CreateCosts,
  CreatedCosts,
  Nothing,
  PurgeCostsBody,
  QueryCosts,
  QueryCostsBody,
} from './costs.schema.js';
import { CostsService } from './costs.service.js';

const readProject = fieldReader(CostsProject);
const readQueryCosts = fieldReader(QueryCosts);

const project_id = 'acme/support';
const query = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'our-model' }] } };

@TracingController('cost')
export class CostsController {
  constructor(private readonly costs: CostsService) {}

  @TracePost('create', {
    summary: 'Set prices of models, for one token each',
    body: CreateCosts,
    example: { project_id, costs: { 'our-model': { prompt_token_cost: 0.000001, completion_token_cost: 0.000002 } } },
    answer: CreatedCosts,
  })
  async create(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const costs = body.get('costs');
    if (costs?.kind !== 'object') throw wrongKind(['body', 'costs'], 'object', costs);
    return { ids: await this.costs.create(caller, readProject(body).project_id, costs) };
  }

  @TracePost('query', {
    summary: 'Find prices that the project set',
    body: QueryCostsBody,
    example: { project_id, query, limit: 100 },
    answer: CostsFound,
  })
  async query(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { results: await this.costs.query(caller, readQueryCosts(body), body) };
  }

  @TracePost('purge', {
    summary: 'Delete prices that the project set, by their ids',
    body: PurgeCostsBody,
    example: {
      project_id,
      query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: '0190b7f1-5c5e-7000-8000-000000000000' }]] } },
    },
    answer: Nothing,
  })
  async purge(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    await this.costs.purge(caller, readProject(body).project_id, body);
    return {};
  }
}
