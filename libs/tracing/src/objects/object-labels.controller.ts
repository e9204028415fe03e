import { Body, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost, TracePut } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import { Aliases, Nothing, RemoveAliases, SetAliases, Tags, TagVersion } from './object-labels.schema.js';
import { ObjectLabelsService } from './object-labels.service.js';

const readTagVersion = fieldReader(TagVersion);
const readSetAliases = fieldReader(SetAliases);
const readRemoveAliases = fieldReader(RemoveAliases);

const VERSION_TAGS = 'objs/:object_id/versions/:digest/tags';
const project_id = 'acme/support';
const tagRoute = { body: TagVersion, example: { project_id, tags: ['reviewed'] }, answer: Nothing };

@TracingController()
export class ObjectLabelsController {
  constructor(private readonly labels: ObjectLabelsService) {}

  @TracePut(VERSION_TAGS, { summary: 'Add tags to a version', ...tagRoute })
  async addTags(
    @Caller() caller: Principal,
    @Param('object_id') objectId: string,
    @Param('digest') version: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { project_id: projectId, tags } = readTagVersion(body);
    await this.labels.addTags(caller, { projectId, objectId, version }, tags);
    return {};
  }

  @TracePost(`${VERSION_TAGS}/remove`, { summary: 'Take tags off a version', ...tagRoute })
  async removeTags(
    @Caller() caller: Principal,
    @Param('object_id') objectId: string,
    @Param('digest') version: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { project_id: projectId, tags } = readTagVersion(body);
    await this.labels.removeTags(caller, { projectId, objectId, version }, tags);
    return {};
  }

  @TracePut('objs/:object_id/aliases', {
    summary: 'Let aliases of an object name a version',
    body: SetAliases,
    example: { project_id, digest: 'v0', aliases: ['production'] },
    answer: Nothing,
  })
  async setAliases(
    @Caller() caller: Principal,
    @Param('object_id') objectId: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { project_id: projectId, digest: version, aliases } = readSetAliases(body);
    await this.labels.setAliases(caller, { projectId, objectId, version }, aliases);
    return {};
  }

  @TracePost('objs/:object_id/aliases/remove', {
    summary: 'Remove aliases of an object',
    body: RemoveAliases,
    example: { project_id, aliases: ['production'] },
    answer: Nothing,
  })
  async removeAliases(
    @Caller() caller: Principal,
    @Param('object_id') objectId: string,
    @Body(TraceBodyPipe) body: JsonNode,
  ): Promise<object> {
    const { project_id: projectId, aliases } = readRemoveAliases(body);
    await this.labels.removeAliases(caller, projectId, objectId, aliases);
    return {};
  }

  @Get('tags')
  @ApiOperation({ summary: 'All tags in a project' })
  @ApiQuery({ name: 'project_id', type: String })
  @ApiOkResponse({ schema: { ...Tags } })
  async tags(@Caller() caller: Principal, @Query('project_id') projectId: string): Promise<object> {
    return { tags: await this.labels.tags(caller, projectId) };
  }

  @Get('aliases')
  @ApiOperation({ summary: 'All aliases in a project' })
  @ApiQuery({ name: 'project_id', type: String })
  @ApiOkResponse({ schema: { ...Aliases } })
  async aliases(@Caller() caller: Principal, @Query('project_id') projectId: string): Promise<object> {
    return { aliases: await this.labels.aliases(caller, projectId) };
  }
}
