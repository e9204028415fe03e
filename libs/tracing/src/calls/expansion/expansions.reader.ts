import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonNode, searchable } from '@heddle/json';
import type { ProjectRef } from '@heddle/projects';
import { QuerySql } from '../../query/query-sql.js';
import { StatementReader } from '../../query/statement.reader.js';
import { RefsService } from '../../refs/refs.service.js';
import { type CallRecord, VISIBLE_CALL } from '../../store/call-record.js';
import { PAYLOADS, type Payload } from '../call-field.js';
import { filterConditions } from '../call-filter.js';
import type { CallQueryRequest } from '../call-query-request.js';
import { expandedFields, type ExpandedField, type ExpandedValues } from './expanded-fields.js';
import { textAt, withReplaced } from './nested-json.js';
import { payloadAt } from '../payload-sql.js';
import { splitPath } from '../../query/field-path.js';

/** Different references that a field of one query may lead through. */
const MAX_REFS = 10_000;

/** Follows the references in calls that `expand_columns` names. */
@Injectable()
export class ExpansionsReader {
  constructor(
    private readonly refs: RefsService,
    private readonly statements: StatementReader,
  ) {}

  /** What the expanded fields of a query and a sort are, for each reference in the calls that the filter lets through. */
  async ofQuery(
    caller: Principal,
    project: ProjectRef,
    request: CallQueryRequest,
    signal: AbortSignal,
  ): Promise<ExpandedValues[]> {
    const fields = expandedFields(request.expandColumns, request.expression, request.sortBy);
    return Promise.all(fields.map((field) => this.valuesOf(caller, project, request, field, signal)));
  }

  /** The calls with what references name in their place, and the reference as `_ref` in it. */
  async ofCalls(caller: Principal, calls: CallRecord[], columns: readonly string[]): Promise<CallRecord[]> {
    const expanded = calls.map((call) => ({ ...call }));
    const paths = columns.map(splitPath).sort((a, b) => a.length - b.length);
    for (const [payload, ...path] of paths) {
      if (path.length === 0 || !isPayload(payload)) continue;
      const found = await Promise.all(expanded.map((call) => textAt(call[payload], path)));
      const refs = [...new Set(found.filter((text) => text !== undefined && isRef(text)))] as string[];
      const values = new Map(zip(refs, await this.refs.read(caller, refs)));
      for (const [i, call] of expanded.entries()) {
        const [ref, text] = [found[i], call[payload]];
        if (ref === undefined || text === null || !values.has(ref)) continue;
        call[payload] = await withReplaced(text, path, values.get(ref) ?? null, ref);
      }
    }
    return expanded;
  }

  private async valuesOf(
    caller: Principal,
    project: ProjectRef,
    request: CallQueryRequest,
    field: ExpandedField,
    signal: AbortSignal,
  ): Promise<ExpandedValues> {
    const starts = await this.refsAt(project, request, field, signal);
    let at: (string | undefined)[] = starts;
    for (const [i, step] of field.steps.entries()) {
      const last = i === field.steps.length - 1;
      const found = await this.refs.read(
        caller,
        at.map((ref) => ref ?? ''),
      );
      at = await Promise.all(found.map((value) => (value ? valueAt(value, step, last) : Promise.resolve(undefined))));
    }
    const values = starts.flatMap((ref, i) => (at[i] === undefined ? [] : [{ ref, value: at[i] }]));
    return { ...field, values };
  }

  private async refsAt(
    project: ProjectRef,
    request: CallQueryRequest,
    field: ExpandedField,
    signal: AbortSignal,
  ): Promise<string[]> {
    const sql = new QuerySql();
    const place = payloadAt(field.column, field.path, sql);
    const where = [
      `c.project_id = ${sql.bind(project.id, 'integer')}`,
      VISIBLE_CALL,
      ...filterConditions(request.filter, sql),
      `${place}.type = 'string' AND ${place}.text ^@ 'weave:///'`,
    ].join(' AND ');
    const limit = sql.bind(MAX_REFS + 1, 'int');
    const text = `SELECT DISTINCT ${place}.text AS ref FROM calls c ${sql.joins()} WHERE ${where} LIMIT ${limit}`;
    const refs: string[] = [];
    for await (const rows of this.statements.rows<{ ref: string }>({ text, values: sql.values }, signal))
      refs.push(...rows.map(({ ref }) => ref));
    if (refs.length <= MAX_REFS) return refs;
    const msg = `${field.name} leads through more than ${MAX_REFS} different references: filter the calls first`;
    throw ValidationError.at(['body', 'expand_columns'], msg, 'query_too_large');
  }
}

/** The next reference, or at the end JSON text that PostgreSQL can read. */
async function valueAt(json: Buffer, step: string[], last: boolean): Promise<string | undefined> {
  if (!last) return textAt(json.toString(), step);
  let node: JsonNode | undefined = await indexJson(json, { depth: 1 });
  for (const key of step) node = node?.kind === 'array' ? [...node.items()][Number(key)] : node?.get(key);
  return node && (await searchable(node)).toString();
}

const isRef = (text: string): boolean => text.startsWith('weave:///');
const isPayload = (name: string | undefined): name is Payload => PAYLOADS.some((payload) => payload === name);
const zip = <T>(refs: string[], values: T[]): [string, T][] => refs.map((ref, i) => [ref, values[i]!]);
