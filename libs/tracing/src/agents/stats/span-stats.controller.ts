import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { fieldReader } from '../../request/read-fields.js';
import { TraceBodyPipe } from '../../request/trace-body.pipe.js';
import { TracePost } from '../../request/trace-post.decorator.js';
import { TracingController } from '../../request/tracing-controller.decorator.js';
import { QuerySpanStats, QuerySpanStatsBody, SpanStatsFound, STATS_EXAMPLE } from './span-stats.schema.js';
import { SpanStatsService } from './span-stats.service.js';

const readStats = fieldReader(QuerySpanStats);

@TracingController('agents/spans/stats')
export class SpanStatsController {
  constructor(private readonly stats: SpanStatsService) {}

  /**
   * Spans count for the agent that they name, else for that of the span above them, and in the conversation of their
   * trace. Sums of tokens and costs have every token once, as those of agents.
   */
  @TracePost('', {
    summary: 'What spans of agents did, summed up for charts: over time, or by ranges of a number',
    body: QuerySpanStatsBody,
    example: STATS_EXAMPLE,
    answer: SpanStatsFound,
  })
  query(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.stats.query(caller, readStats(body), body, clientLeft(response));
  }
}
