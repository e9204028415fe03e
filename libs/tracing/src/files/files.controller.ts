import { Body, HttpCode, Post, Req, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiConsumes, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { StreamedBody } from '@heddle/http';
import { JsonNode } from '@heddle/json';
import type { Request } from 'express';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { FileDigest, FilesSize, FilesStats, ReadFile } from './files.schema.js';
import { FilesService } from './files.service.js';
import { withUpload } from './uploads.js';

const readReadFile = fieldReader(ReadFile);
const readFilesStats = fieldReader(FilesStats);

/** The SDKs say /file, the service's own documentation says /files. */
@TracingController()
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Post(['file/create', 'files/create'])
  @HttpCode(200)
  @StreamedBody()
  @ApiOperation({ summary: 'Store a file; the same bytes again are the same file' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['project_id', 'file'],
      properties: {
        project_id: { type: 'string' },
        file: { type: 'string', format: 'binary' },
        expected_digest: { type: 'string' },
      },
    },
  })
  @ApiOkResponse({ schema: { ...FileDigest } })
  @ApiConflictResponse({ description: 'The digest that the client expects is another one.' })
  create(@Caller() caller: Principal, @Req() request: Request): Promise<{ digest: string }> {
    return withUpload(request, (upload) => this.files.create(caller, upload));
  }

  @Post(['file/content', 'files/content'])
  @HttpCode(200)
  @ApiOperation({ summary: 'Read the bytes of a file' })
  @ApiBody({ schema: { ...ReadFile } })
  @ApiOkResponse({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })
  content(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<StreamableFile> {
    return this.files.content(caller, readReadFile(body));
  }

  @TracePost(['files/query_stats', 'files/stats'], {
    summary: 'How much the files of a project take',
    body: FilesStats,
    example: { project_id: 'acme/support' },
    answer: FilesSize,
  })
  async totalSize(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { total_size_bytes: await this.files.totalSize(caller, readFilesStats(body).project_id) };
  }
}
