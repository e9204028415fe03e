import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import {
  MAX_VALUES,
  type MetricPoint,
  readLenient,
  type RunChanges,
  RunLinesRepository,
  RunWriter,
} from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { type RunPlace, SdkRunsService } from '../runs/sdk-runs.service.js';
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
      const updated = await this.writer.update(manager, caller, source.project, source.run.id, changesOf(request));
      await this.putLines(manager, source.run.id, request, history);
      for (const points of batches(history.points)) {
        await this.writer.logMetrics(manager, caller, source.project, source.run.id, points);
      }
      return updated;
    });
    return { exitcode: null, limits: {}, ...(run.stopRequested && { stopped: true as const }) };
  }

  private async putLines(
    manager: EntityManager,
    runId: string,
    { streams }: StreamRequest,
    history: HistoryLines,
  ): Promise<void> {
    for (const stream of ['history', 'events', 'log'] as const) {
      const chunk = streams[stream];
      if (!chunk || chunk.lines.length === 0) continue;
      const steps = stream === 'history' ? history.steps : chunk.lines.map(() => null);
      // A line of the console is sent again as it grows; others never change.
      await this.lines.put(manager, runId, { stream, ...chunk, steps }, { isShared: stream !== 'log' });
    }
  }
}

/** Any word of a client says that its run runs, but for the last one. */
function changesOf({ summary, isComplete, exitCode }: StreamRequest): RunChanges {
  const ended = { state: exitCode === 0 || exitCode === null ? 'FINISHED' : 'FAILED', heartbeatAt: null } as const;
  const alive = { state: 'RUNNING', heartbeatAt: new Date() } as const;
  return { ...(summary !== null && isReadable(summary) && { summary }), ...(isComplete ? ended : alive) };
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
