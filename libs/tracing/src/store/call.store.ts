import { Injectable } from '@nestjs/common';
import { WorkTurns } from '@heddle/json';
import { CallWriter } from './call.writer.js';
import { type CallWrite, mergeInto } from './call-write.js';
import type { NewCall } from './new-call.js';
import { addOddCells, hasOddPayload, newRow } from './new-row.js';

/** What is said about a call, with the project that it is of. */
export interface ProjectCall {
  projectId: number;
  call: NewCall;
}

/** Takes in calls, whoever sent them in whatever form. Who may write where is decided before. */
@Injectable()
export class CallStore {
  constructor(private readonly writer: CallWriter) {}

  /**
   * Stores what is said about calls of one project; when this resolves, it is committed. See {@link addAll}.
   * @param author name of the user whose calls they are
   */
  add(project: { id: number }, author: string, calls: Iterable<NewCall>): Promise<void> {
    const of = function* (): Generator<ProjectCall, void> {
      for (const call of calls) yield { projectId: project.id, call };
    };
    return this.addAll(author, of());
  }

  /**
   * The same for calls of several projects, in one transaction. What is said of one call, in any order, here or before,
   * becomes one row.
   * @throws CallsRefusedError after all others were stored
   */
  async addAll(author: string, calls: Iterable<ProjectCall>): Promise<void> {
    const rows = new Map<string, CallWrite>();
    const turns = new WorkTurns();
    for (const { projectId, call } of calls) {
      const row = newRow(projectId, author, call);
      if (hasOddPayload(call)) await addOddCells(row, call);
      const key = `${row.project_id} ${row.id}`;
      const before = rows.get(key);
      if (before) mergeInto(before, row);
      else rows.set(key, row);
      if (turns.isOver()) await turns.next();
    }
    await this.writer.write([...rows.values()]);
  }
}
