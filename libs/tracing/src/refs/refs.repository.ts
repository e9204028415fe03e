import { Injectable } from '@nestjs/common';
import { InjectPool } from '@heddle/database';
import { encodeText } from '@heddle/json';
import type { ProjectRef } from '@heddle/projects';
import type pg from 'pg';
import { CALL_COLUMNS, type CallRecord, VISIBLE_CALL } from '../store/call-record.js';
import { callText } from '../calls/call-view.js';
import { indexedText } from '../values/indexed-text.js';
import { ObjectsRepository } from '../objects/objects.repository.js';
import { TablesRepository } from '../tables/tables.repository.js';
import type { RefLookup } from './ref-walker.js';

type Target = RefLookup['target'];
type TargetOf<T extends Target['type']> = Extract<Target, { type: T }>;

/** Finds what references name: one statement for each kind of target. */
@Injectable()
export class RefsRepository {
  constructor(
    private readonly objects: ObjectsRepository,
    private readonly tables: TablesRepository,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** JSON texts of the targets of one project; those that are missing are left out. */
  async read(project: ProjectRef, targets: Target[]): Promise<Map<Target, Buffer>> {
    const found = new Map<Target, Buffer>();
    await this.readObjects(project, ofType(targets, 'object'), found);
    await this.readRows(project, ofType(targets, 'row'), found);
    await this.readCalls(project, ofType(targets, 'call'), found);
    return found;
  }

  private async readObjects(
    project: ProjectRef,
    targets: TargetOf<'object'>[],
    found: Map<Target, Buffer>,
  ): Promise<void> {
    if (targets.length === 0) return;
    const wanted = targets.map(({ objectId, version, kind }) => ({
      objectId: encodeText(objectId),
      version: encodeText(version),
      kind,
    }));
    const rows = await this.objects.findMany(project.id, wanted, { val: true, labels: false });
    targets.forEach((target, i) => {
      const row = rows[i];
      if (row && row.val !== null && row.deleted_at === null) found.set(target, Buffer.from(row.val));
    });
  }

  private async readRows(project: ProjectRef, targets: TargetOf<'row'>[], found: Map<Target, Buffer>): Promise<void> {
    if (targets.length === 0) return;
    const rows = await this.tables.rows(
      project.id,
      targets.map(({ digest }) => encodeText(digest)),
    );
    for (const target of targets) {
      const val = rows.get(encodeText(target.digest));
      if (val !== undefined) found.set(target, Buffer.from(val));
    }
  }

  private async readCalls(project: ProjectRef, targets: TargetOf<'call'>[], found: Map<Target, Buffer>): Promise<void> {
    if (targets.length === 0) return;
    const { rows } = await this.pool.query<CallRecord>(
      `SELECT ${CALL_COLUMNS} FROM calls c WHERE c.project_id = $1 AND c.id = ANY($2) AND ${VISIBLE_CALL}`,
      [project.id, targets.map(({ id }) => indexedText(id))],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const target of targets) {
      const call = byId.get(indexedText(target.id));
      if (call) found.set(target, callText(call, `${project.entity}/${project.name}`));
    }
  }
}

function ofType<T extends Target['type']>(targets: Target[], type: T): TargetOf<T>[] {
  return targets.filter((target): target is TargetOf<T> => target.type === type);
}
