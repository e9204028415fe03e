import { Body, type StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { jsonAnswer, jsonObjects } from '../request/json-answer.js';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import {
  DatasetsFound,
  LinkedSources,
  LinkSources,
  QueryDatasets,
  QuerySources,
  SourcesFound,
  UnlinkedSources,
  UnlinkSources,
} from './dataset-sources.schema.js';
import { DatasetSourcesService } from './dataset-sources.service.js';

const readLinks = fieldReader(LinkSources);
const readIds = fieldReader(UnlinkSources);
const readSources = fieldReader(QuerySources);
const readDatasets = fieldReader(QueryDatasets);

const project_id = 'acme/support';
const dataset_object_id = 'questions';
const source = { source_kind: 'call', source_id: '0190b7f1-5c5e-7000-8000-000000000000', source_trace_id: '' };

@TracingController('dataset_sources')
export class DatasetSourcesController {
  constructor(private readonly sources: DatasetSourcesService) {}

  @TracePost('link', {
    summary: 'Say which calls, spans and conversations rows of a dataset come from',
    body: LinkSources,
    example: {
      ...{ project_id, dataset_object_id, dataset_digest: 'v0' },
      links: [{ row_digest: 'Xp3Ov9Yb', sources: [source], link_metadata: { by: 'hand' } }],
    },
    answer: LinkedSources,
  })
  async link(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { entries: await this.sources.link(caller, readLinks(body), body) };
  }

  @TracePost('link_delete', {
    summary: 'Delete such links by their ids',
    body: UnlinkSources,
    example: { project_id, link_ids: [] },
    answer: UnlinkedSources,
  })
  async unlink(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const { project_id: projectId, link_ids: ids } = readIds(body);
    return { entries: await this.sources.unlink(caller, projectId, ids) };
  }

  @TracePost('query', {
    summary: "Where a dataset's rows come from",
    body: QuerySources,
    example: { project_id, dataset_object_id, limit: 100 },
    answer: SourcesFound,
  })
  async query(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return jsonAnswer([['links', jsonObjects(await this.sources.query(caller, readSources(body)))]]);
  }

  @TracePost('source_datasets_query', {
    summary: 'Which datasets have rows of calls, spans and conversations',
    body: QueryDatasets,
    example: { project_id, sources: [source] },
    answer: DatasetsFound,
  })
  async datasets(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { memberships: await this.sources.datasets(caller, readDatasets(body)) };
  }
}
