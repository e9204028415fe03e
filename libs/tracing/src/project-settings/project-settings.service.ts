import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { InjectPool } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { EntityNotFoundError, parseProjectId, ProjectAccessService, ProjectsService } from '@heddle/projects';
import type pg from 'pg';
import { BYTES } from '../calls/call-query-statement.js';
import { FilesService } from '../files/files.service.js';
import type { ProjectStats } from './project-settings.schema.js';

interface ProjectInfo {
  external_project_id: string;
  internal_project_id: string;
}

/** What the clients ask about whole projects. */
@Injectable()
export class ProjectSettingsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly projects: ProjectsService,
    private readonly files: FilesService,
    private readonly env: Env,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** Those that the caller may read; the others are left out. */
  async infos(caller: Principal, projectIds: string[]): Promise<ProjectInfo[]> {
    const infos: ProjectInfo[] = [];
    for (const [i, projectId] of projectIds.entries()) {
      const id = await this.idOf(caller, projectId, i);
      if (id !== null) infos.push({ external_project_id: projectId, internal_project_id: String(id) });
    }
    return infos;
  }

  async stats(caller: Principal, request: ProjectStats): Promise<object> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const id = project?.id ?? 0;
    const { include_file_storage_size: files, include_object_storage_size: objects } = request;
    const { include_table_storage_size: tables, include_trace_storage_size: traces } = request;
    if ([files, objects, tables, traces].every((wanted) => wanted === false))
      throw ValidationError.at(['body'], 'Nothing is asked for', 'missing');
    const sum = (wanted: boolean | null | undefined, from: string): Promise<number> =>
      wanted === false ? Promise.resolve(0) : this.sum(`SELECT COALESCE(sum(${from} WHERE c.project_id = $1`, id);
    return {
      trace_storage_size_bytes: await sum(
        traces,
        `${BYTES} + COALESCE(octet_length(c.otel_dump), 0)), 0) AS n FROM calls c`,
      ),
      objects_storage_size_bytes: await sum(objects, 'octet_length(c.val)), 0) AS n FROM trace_objects c'),
      tables_storage_size_bytes: await sum(tables, 'octet_length(c.val)), 0) AS n FROM trace_table_rows c'),
      files_storage_size_bytes: files === false ? 0 : await this.files.totalSize(caller, request.project_id),
    };
  }

  /** null: for ever. */
  async retention(caller: Principal, projectId: string): Promise<number | null> {
    const project = await this.access.find(caller, parseProjectId(projectId));
    const own = project && (await this.projects.get(caller, parseProjectId(projectId))).retentionDays;
    return (own ?? this.env.RETENTION_DAYS) || null;
  }

  /** Team administrators only. */
  async setRetention(caller: Principal, projectId: string, days: number | null): Promise<number | null> {
    const name = parseProjectId(projectId);
    const updated = await this.projects.update(caller, name, { retention_days: days ?? 0 });
    return updated.retentionDays || null;
  }

  /** Refuses those that may not read the project. */
  async mayRead(
    caller: Principal,
    projectId: string,
    loc: (string | number)[] = ['body', 'project_id'],
  ): Promise<void> {
    await this.access.find(caller, parseProjectId(projectId, loc));
  }

  private async idOf(caller: Principal, projectId: string, i: number): Promise<number | null> {
    try {
      return (await this.access.find(caller, parseProjectId(projectId, ['body', 'project_ids', i])))?.id ?? null;
    } catch (error) {
      if (error instanceof EntityNotFoundError) return null;
      throw error;
    }
  }

  private async sum(text: string, projectId: number): Promise<number> {
    const { rows } = await this.pool.query<{ n: string }>(text, [projectId]);
    return Number(rows[0]!.n);
  }
}
