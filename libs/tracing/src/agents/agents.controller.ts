import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { NotBuiltError } from '../unbuilt/unbuilt.errors.js';
import { AgentAttributesService } from './agent-attributes.service.js';
import { AgentSpansService } from './agent-spans.service.js';
import {
  AgentsFound,
  AttributesFound,
  QueryAgents,
  QueryAttributes,
  QuerySpans,
  QuerySpansBody,
  QueryVersions,
  SpansFound,
  VersionsFound,
} from './agents.schema.js';
import { AgentsService } from './agents.service.js';

const readAgents = fieldReader(QueryAgents);
const readVersions = fieldReader(QueryVersions);
const readSpans = fieldReader(QuerySpans);
const readAttributes = fieldReader(QueryAttributes);

const project_id = 'acme/support';
const query = { $expr: { $eq: [{ $getField: 'agent.name' }, { $literal: 'helper' }] } };

@TracingController('agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly spans: AgentSpansService,
    private readonly attributes: AgentAttributesService,
  ) {}

  @TracePost('query', {
    summary: 'Agents, and what they did',
    body: QueryAgents,
    example: { project_id, sort_by: [{ field: 'error_count', direction: 'desc' }] },
    answer: AgentsFound,
  })
  async query(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    refuseCosts(body);
    const { agents, total } = await this.agents.agents(caller, readAgents(body), clientLeft(response));
    return { agents, total_count: total };
  }

  @TracePost('agent-versions/query', {
    summary: 'Versions of an agent, and what they did',
    body: QueryVersions,
    example: { project_id, agent_name: 'helper' },
    answer: VersionsFound,
  })
  async versions(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    refuseCosts(body);
    const { agents, total } = await this.agents.versions(caller, readVersions(body), clientLeft(response));
    return { versions: agents, total_count: total };
  }

  @TracePost('spans/query', {
    summary: 'Spans of agents, or what groups of them did',
    body: QuerySpansBody,
    example: { project_id, query, limit: 100 },
    answer: SpansFound,
  })
  findSpans(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.spans.query(caller, readSpans(body), body, clientLeft(response));
  }

  @TracePost('spans/custom-attrs/schema', {
    summary: 'Attributes that spans have beyond the conventions, by key and type',
    body: QueryAttributes,
    example: { project_id },
    answer: AttributesFound,
  })
  schema(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.attributes.find(caller, readAttributes(body), body, clientLeft(response));
  }
}

/** What an agent cost would need each span's price at its time. */
function refuseCosts(body: JsonNode): void {
  if (body.get('include_costs')?.value() === true) throw new NotBuiltError('include_costs of agents');
}
