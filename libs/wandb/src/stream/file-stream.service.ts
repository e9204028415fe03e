import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import type { Run } from '@heddle/database';
import {
  ConsoleLinesRepository,
  MAX_VALUES,
  type MetricPoint,
  readLenient,
  type RunChanges,
  RunLinesRepository,
  RunWriter,
} from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { type RunPlace, SdkRunsService } from '../runs/sdk-runs.service.js';
import { mergeSummaries } from '../runs/sdk-config.js';
import { type HistoryLines, readHistory } from './history-points.js';
import { readStreamRequest, type StreamRequest } from './stream-request.js';

/** What clients of a run read of every answer. */
export interface StreamAnswer {
  exitcode: null;
  limits: Record<string, never>;
  /** The run's program is to end. */
  stopped?: true;
}

/** Takes what a run's client streams: lines as they are, the numbers in them to the metric store, and its end. */
@Injectable()
export class FileStreamService {
  private readonly logger = new Logger('FileStream');

  constructor(
    private readonly runs: SdkRunsService,
    private readonly lines: RunLinesRepository,
    private readonly console: ConsoleLinesRepository,
    private readonly writer: RunWriter,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async take(caller: Principal, place: RunPlace, body: Buffer): Promise<StreamAnswer> {
    const source = await this.runs.find(caller, place, 'member');
    const request = await readStreamRequest(body);
    const history = await readHistory(request.streams.history?.lines ?? []);
    const refused = request.refused + history.refused;
    if (refused > 0) this.logger.warn({ run: source.run.id, refused }, 'parts of a stream could not be read');
    const run = await this.dataSource.transaction(async (manager) => {
      // First, so that two requests of one run come one after the other.
      const updated = await this.writer.update(
        manager,
        caller,
        source.project,
        source.run.id,
        changesOf(request, source.run),
      );
      const points = await this.putLines(manager, source.run.id, request, history);
      for (const batch of batches(points)) {
        await this.writer.logMetrics(manager, caller, source.project, source.run.id, batch);
      }
      return updated;
    });
    return { exitcode: null, limits: {}, ...(run.stopRequested && { stopped: true as const }) };
  }

  /** @returns the numbers of the history, each at its step */
  private async putLines(
    manager: EntityManager,
    runId: string,
    { streams: { history, events, log } }: StreamRequest,
    { steps, points }: HistoryLines,
  ): Promise<MetricPoint[]> {
    if (log?.lines.length) await this.console.put(manager, runId, log.offset, log.lines);
    if (events?.lines.length) {
      await this.lines.put(manager, runId, { stream: 'events', ...events, steps: events.lines.map(() => null) });
    }
    if (!history?.lines.length) return [];
    const places = await this.lines.put(manager, runId, { stream: 'history', ...history, steps });
    return points.map(({ line, step, ...point }) => ({ ...point, step: step ?? places[line]! }));
  }
}

/** Any word of a client says that its run runs, but for the last one. */
function changesOf({ summary: sent, isComplete, exitCode }: StreamRequest, run: Run): RunChanges {
  const summary = sent !== null && isReadable(sent) && mergeSummaries(run, sent);
  const ended = { state: exitCode === 0 || exitCode === null ? 'FINISHED' : 'FAILED', heartbeatAt: null } as const;
  const alive = { state: 'RUNNING', heartbeatAt: new Date() } as const;
  return { ...(summary !== false && { summary }), ...(isComplete ? ended : alive) };
}

function isReadable(summary: string): boolean {
  try {
    const value = readLenient(summary);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** As many points as one call takes. */
function* batches(points: readonly MetricPoint[]): Generator<MetricPoint[]> {
  let batch: MetricPoint[] = [];
  let values = 0;
  for (const point of points) {
    const count = Object.keys(point.metrics).length;
    // A single line of more values than that is told from its line only.
    if (count > MAX_VALUES) continue;
    if (values + count > MAX_VALUES) {
      yield batch;
      batch = [];
      values = 0;
    }
    batch.push(point);
    values += count;
  }
  if (batch.length > 0) yield batch;
}
