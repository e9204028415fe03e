import { Body, type StreamableFile } from '@nestjs/common';
import { ApiConflictResponse } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { PayloadBodyPipe } from '../request/payload-body.pipe.js';
import { fieldReader } from '../request/read-fields.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { wrongKind } from '../request/wrong-kind.js';
import {
  BaseTable,
  CreatedTable,
  CreateTable,
  NewTable,
  QueryTable,
  TableCount,
  TableDigest,
  TableFromDigests,
  TableRows,
  TablesCounts,
  TablesStats,
  TableStats,
  UpdatedTable,
  UpdateTable,
} from './tables.schema.js';
import { TablesService } from './tables.service.js';

const readNewTable = fieldReader(NewTable);
const readBaseTable = fieldReader(BaseTable);
const readTableFromDigests = fieldReader(TableFromDigests);
const readQueryTable = fieldReader(QueryTable);
const readTableStats = fieldReader(TableStats);
const readTablesStats = fieldReader(TablesStats);

const project_id = 'acme/support';
const digest = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';

@TracingController('table')
export class TablesController {
  constructor(private readonly tables: TablesService) {}

  @TracePost('create', {
    summary: 'Store a table; the same rows again are the same table',
    body: CreateTable,
    example: { table: { project_id, rows: [{ question: '1 + 1?', answer: 2 }] } },
    answer: CreatedTable,
  })
  @ApiConflictResponse({ description: 'The digest that the client expects is another one.' })
  create(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<object> {
    const table = body.get('table');
    const fields = readNewTable(table, ['body', 'table']);
    return this.tables.create(caller, fields, list(table, 'rows', ['body', 'table']));
  }

  @TracePost('create_from_digests', {
    summary: 'Store a table of rows that are stored already',
    body: TableFromDigests,
    example: { project_id, row_digests: [] },
    answer: TableDigest,
  })
  @ApiConflictResponse({ description: 'The digest that the client expects is another one.' })
  createFromDigests(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<object> {
    return this.tables.createFromDigests(caller, readTableFromDigests(body));
  }

  @TracePost('update', {
    summary: 'Make a table from another one by appending, inserting and popping rows',
    body: UpdateTable,
    example: { project_id, base_digest: digest, updates: [{ append: { row: { question: '2 + 2?' } } }] },
    answer: UpdatedTable,
  })
  update(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<object> {
    return this.tables.update(caller, readBaseTable(body), list(body, 'updates', ['body']));
  }

  @TracePost('query', {
    summary: "Read a table's rows in their order; rows that repeat are repeated",
    body: QueryTable,
    example: { project_id, digest, limit: 100, offset: 0 },
    answer: TableRows,
  })
  query(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return this.tables.query(caller, readQueryTable(body));
  }

  @TracePost('query_stats', {
    summary: 'Count the rows of a table',
    body: TableStats,
    example: { project_id, digest },
    answer: TableCount,
  })
  async count(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<object> {
    return { count: await this.tables.count(caller, readTableStats(body)) };
  }

  @TracePost('query_stats_batch', {
    summary: 'Count the rows of several tables; unknown ones are left out',
    body: TablesStats,
    example: { project_id, digests: [digest], include_storage_size: true },
    answer: TablesCounts,
  })
  async sizes(@Caller() caller: Principal, @Body(PayloadBodyPipe) body: JsonNode): Promise<object> {
    return { tables: await this.tables.sizes(caller, readTablesStats(body)) };
  }
}

function list(parent: JsonNode | undefined, name: string, loc: string[]): JsonNode {
  const node = parent?.get(name);
  if (node?.kind === 'array') return node;
  throw wrongKind([...loc, name], 'list', node);
}
