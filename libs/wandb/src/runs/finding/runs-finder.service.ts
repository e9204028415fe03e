import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { InjectPool, Run } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';
import type pg from 'pg';
import { type DataSource, In } from 'typeorm';
import { readFilter } from '../../filters/mongo-filter.js';
import type { Connection } from '../../graphql/connection.js';
import type { RunSource } from '../run-source.js';
import { checkRunField, type RunRow, runValues } from './run-fields.js';
import { comparePositions, cursorOf, readCursor, readRunOrder, type RunOrder, type RunPosition } from './run-order.js';

const MAX_PAGE = 500;
/** Runs that are read at once. */
const BATCH = 500;

export interface RunsArgs {
  filters?: string | null;
  order?: string | null;
  first?: number | null;
  after?: string | null;
}

/** In the order of creation, from a place on. */
const scan = (follows: '>' | '<', columns: ReadonlySet<string>): string => `
  SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created, name, display_name, state,
         tags, notes, group_name, job_type, host, git_commit, created_by,
         coalesce(heartbeat_at, state_changed_at) AS heartbeat,
         ${columns.has('config') ? 'config' : 'NULL AS config'}, ${columns.has('summary') ? 'summary' : 'NULL AS summary'}
    FROM runs
   WHERE project_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) ${follows} ($2, $3::uuid))
   ORDER BY created_at ${follows === '>' ? 'ASC' : 'DESC'}, id ${follows === '>' ? 'ASC' : 'DESC'} LIMIT ${BATCH}`;

interface Scan {
  projectId: number;
  filters: string | null | undefined;
  order: RunOrder;
  /** Only what was made behind it. */
  from?: RunPosition;
}

/** Finds runs by what they were configured with and came to. */
@Injectable()
export class RunsFinderService {
  constructor(
    @InjectPool() private readonly pool: pg.Pool,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async count(projectId: number, filters: string | null | undefined): Promise<number> {
    let count = 0;
    for await (const _position of this.matches({ projectId, filters, order: readRunOrder(null) })) count++;
    return count;
  }

  /** One page in the order asked for, from behind the cursor on. */
  async page(project: ProjectRef, { filters, order: text, first, after }: RunsArgs): Promise<Connection<RunSource>> {
    const limit = Math.max(1, Math.min(first ?? 50, MAX_PAGE));
    const order = readRunOrder(text);
    const cursor = after ? readCursor(after) : undefined;
    const isByTime = order.field === 'created_at';
    let found: RunPosition[] = [];
    const matches = this.matches({
      projectId: project.id,
      filters,
      order,
      ...(isByTime && cursor && { from: cursor }),
    });
    for await (const position of matches) {
      if (cursor && comparePositions(order, position, cursor) <= 0) continue;
      found.push(position);
      if (isByTime && found.length > limit) break;
      // Of all that match, no more than two pages are held.
      if (!isByTime && found.length > 2 * MAX_PAGE) found = nearest(order, found, limit + 1);
    }
    found = nearest(order, found, limit + 1);
    return this.connection(project, found.slice(0, limit), found.length > limit);
  }

  private async *matches({ projectId, filters, order, from }: Scan): AsyncGenerator<RunPosition> {
    const columns = new Set<string>();
    const check = (name: string): void => {
      const column = checkRunField(name)?.column;
      if (column) columns.add(column);
    };
    const { test, names } = readFilter(filters);
    [order.field, ...names].forEach(check);
    const sql = scan(order.field === 'created_at' && order.isDescending ? '<' : '>', columns);
    let last: Pick<RunPosition, 'created' | 'id'> | undefined = from;
    for (;;) {
      const { rows } = await this.pool.query<RunRow>(sql, [projectId, last?.created ?? null, last?.id ?? null]);
      for (const row of rows) {
        const values = runValues(row);
        if (test(values)) yield { value: values(order.field), created: row.created, id: row.id };
      }
      last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
    }
  }

  private async connection(
    project: ProjectRef,
    positions: readonly RunPosition[],
    hasNextPage: boolean,
  ): Promise<Connection<RunSource>> {
    const ids = positions.map(({ id }) => id);
    const runs = await this.dataSource.manager.findBy(Run, { projectId: project.id, id: In(ids) });
    const byId = new Map(runs.map((run) => [run.id, run]));
    const edges = positions.flatMap((position) => {
      const run = byId.get(position.id);
      return run ? [{ node: { run, project }, cursor: cursorOf(position) }] : [];
    });
    const endCursor = positions.length > 0 ? cursorOf(positions.at(-1)!) : null;
    return { totalCount: edges.length, edges, pageInfo: { endCursor, hasNextPage } };
  }
}

const nearest = (order: RunOrder, positions: RunPosition[], count: number): RunPosition[] =>
  positions.sort((a, b) => comparePositions(order, a, b)).slice(0, count);
