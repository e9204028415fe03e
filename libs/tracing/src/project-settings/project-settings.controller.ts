import { Body, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { Caller, type Principal } from '@heddle/auth';
import { JsonNode } from '@heddle/json';
import { fieldReader } from '../request/read-fields.js';
import { TraceBodyPipe } from '../request/trace-body.pipe.js';
import { TracePost } from '../request/trace-post.decorator.js';
import { TracingController } from '../request/tracing-controller.decorator.js';
import {
  ProjectBody,
  ProjectsInfo,
  ProjectsInfoFound,
  ProjectStats,
  ProjectStatsFound,
  Retention,
  Sampling,
  SensitiveData,
  UpdateRetention,
} from './project-settings.schema.js';
import { ProjectSettingsService } from './project-settings.service.js';

const readProject = fieldReader(ProjectBody);
const readProjects = fieldReader(ProjectsInfo);
const readStats = fieldReader(ProjectStats);
const readRetention = fieldReader(UpdateRetention);

const example = { project_id: 'acme/support' };

@TracingController()
export class ProjectSettingsController {
  constructor(private readonly settings: ProjectSettingsService) {}

  @TracePost('service/projects_info', {
    summary: 'Ids of projects, of those that you may read',
    body: ProjectsInfo,
    example: { project_ids: ['acme/support'] },
    answer: ProjectsInfoFound,
  })
  projects(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object[]> {
    return this.settings.infos(caller, readProjects(body).project_ids);
  }

  @TracePost('project/stats', {
    summary: 'How much a project takes',
    body: ProjectStats,
    example,
    answer: ProjectStatsFound,
  })
  stats(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return this.settings.stats(caller, readStats(body));
  }

  @TracePost('project/ttl_settings/read', {
    summary: 'How long calls are kept',
    body: ProjectBody,
    example,
    answer: Retention,
  })
  async retention(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    return { retention_days: await this.settings.retention(caller, readProject(body).project_id) };
  }

  @TracePost('project/ttl_settings/update', {
    summary: 'Say how long calls are kept; older ones are deleted. Team administrators only',
    body: UpdateRetention,
    example: { ...example, retention_days: 90 },
    answer: Retention,
  })
  async setRetention(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    const { project_id, retention_days: days = null } = readRetention(body);
    return { retention_days: await this.settings.setRetention(caller, project_id, days) };
  }

  @TracePost('project/ingest_sampling_settings/read', {
    summary: 'Which part of calls is kept: always all',
    body: ProjectBody,
    example,
    answer: Sampling,
  })
  async sampling(@Caller() caller: Principal, @Body(TraceBodyPipe) body: JsonNode): Promise<object> {
    await this.settings.mayRead(caller, readProject(body).project_id);
    return { sample_rate: 1, dry_run: false };
  }

  @Get('project/sensitive_data_settings')
  @ApiOperation({ summary: 'What is taken out of calls: always nothing' })
  @ApiQuery({ name: 'project_id', type: String })
  @ApiOkResponse({ schema: { ...SensitiveData } })
  async sensitiveData(@Caller() caller: Principal, @Query('project_id') projectId: string): Promise<object> {
    await this.settings.mayRead(caller, projectId, ['query', 'project_id']);
    return { policy: 'off' };
  }
}
