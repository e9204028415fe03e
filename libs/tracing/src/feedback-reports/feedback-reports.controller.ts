import { Body, Res } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { clientLeft } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Response } from 'express';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import {
  AggregateFeedback,
  FeedbackAggregated,
  FeedbackPaths,
  FeedbackPathsFound,
  FeedbackStats,
  FeedbackStatsFound,
} from './feedback-reports.schema.js';
import { FeedbackReportsService } from './feedback-reports.service.js';

const readAggregate = fieldReader(AggregateFeedback);
const readStats = fieldReader(FeedbackStats);
const readPaths = fieldReader(FeedbackPaths);

const project_id = 'acme/support';
const start = '2026-01-31T00:00:00Z';

@TracingController('feedback')
export class FeedbackReportsController {
  constructor(private readonly reports: FeedbackReportsService) {}

  @TracePost('aggregate', {
    summary: 'Count tags and ratings of scorers, by time and group',
    body: AggregateFeedback,
    example: { project_id, after_ms: 1769817600000, before_ms: 1769904000000, group_by: ['scorer_id'] },
    answer: FeedbackAggregated,
  })
  aggregate(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.reports.aggregate(caller, readAggregate(body), clientLeft(response));
  }

  @TracePost('stats', {
    summary: 'Sum up values in the payloads of feedback, by time',
    body: FeedbackStats,
    example: { project_id, start, metrics: [{ json_path: 'output.score' }] },
    answer: FeedbackStatsFound,
  })
  stats(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.reports.stats(caller, readStats(body), clientLeft(response));
  }

  @TracePost('payload_schema', {
    summary: 'Which values the payloads of feedback have',
    body: FeedbackPaths,
    example: { project_id, start },
    answer: FeedbackPathsFound,
  })
  paths(
    @Caller() caller: Principal,
    @Body(TraceBodyPipe) body: JsonNode,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.reports.paths(caller, readPaths(body), clientLeft(response));
  }
}
