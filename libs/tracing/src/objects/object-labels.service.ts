import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectPool } from '@heddle/database';
import { decodeText, encodeText } from '@heddle/json';
import { parseProjectId, ProjectAccessService, type ProjectRef } from '@heddle/projects';
import type pg from 'pg';
import { storedName } from '../request/stored-text.js';
import { checkAlias, checkTag } from './object-names.js';
import { ObjectNotFoundError } from './objects.errors.js';
import { ObjectsRepository } from './objects.repository.js';

/** Tags, which many versions carry, and aliases, which name one version of an object and move. */
@Injectable()
export class ObjectLabelsService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly objects: ObjectsRepository,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  async addTags(caller: Principal, version: VersionName, tags: string[]): Promise<void> {
    const { project, objectId, digest } = await this.resolve(caller, version);
    await this.pool.query(
      'INSERT INTO trace_object_tags SELECT $1, $2, $3, tag FROM unnest($4::text[]) tag ON CONFLICT DO NOTHING',
      [project.id, objectId, digest, storedNames(tags, 'tags', checkTag).sort()],
    );
  }

  async removeTags(caller: Principal, version: VersionName, tags: string[]): Promise<void> {
    const { project, objectId, digest } = await this.resolve(caller, version);
    await this.pool.query(
      'DELETE FROM trace_object_tags WHERE project_id = $1 AND object_id = $2 AND digest = $3 AND tag = ANY($4)',
      [project.id, objectId, digest, storedNames(tags, 'tags')],
    );
  }

  async setAliases(caller: Principal, version: VersionName, aliases: string[]): Promise<void> {
    const { project, objectId, digest } = await this.resolve(caller, version);
    await this.pool.query(
      `INSERT INTO trace_object_aliases (project_id, object_id, alias, digest)
       SELECT DISTINCT $1::int, $2, alias, $3 FROM unnest($4::text[]) alias ORDER BY alias
       ON CONFLICT ON CONSTRAINT trace_object_aliases_pkey DO UPDATE SET digest = excluded.digest`,
      [project.id, objectId, digest, storedNames(aliases, 'aliases', checkAlias)],
    );
  }

  async removeAliases(caller: Principal, projectId: string, objectId: string, aliases: string[]): Promise<void> {
    const project = await this.projects.requireRole(caller, parseProjectId(projectId), 'member');
    await this.pool.query(
      'DELETE FROM trace_object_aliases WHERE project_id = $1 AND object_id = $2 AND alias = ANY($3)',
      [project.id, encodeText(objectId), storedNames(aliases, 'aliases')],
    );
  }

  async tags(caller: Principal, projectId: string): Promise<string[]> {
    return this.distinct(caller, projectId, 'SELECT DISTINCT tag AS name FROM trace_object_tags WHERE project_id = $1');
  }

  async aliases(caller: Principal, projectId: string): Promise<string[]> {
    const sql = 'SELECT DISTINCT alias AS name FROM trace_object_aliases WHERE project_id = $1';
    return this.distinct(caller, projectId, sql);
  }

  private async distinct(caller: Principal, projectId: string, sql: string): Promise<string[]> {
    const project = await this.projects.find(caller, parseProjectId(projectId, ['query', 'project_id']));
    if (!project) return [];
    const { rows } = await this.pool.query<{ name: string }>(`${sql} ORDER BY name`, [project.id]);
    return rows.map(({ name }) => decodeText(name));
  }

  private async resolve(caller: Principal, { projectId, objectId, version }: VersionName): Promise<ResolvedVersion> {
    const project = await this.projects.requireRole(caller, parseProjectId(projectId), 'member');
    const wanted = { objectId: encodeText(objectId), version: encodeText(version) };
    const [row] = await this.objects.findMany(project.id, [wanted], { val: false, labels: false });
    if (!row || row.deleted_at !== null) throw new ObjectNotFoundError(objectId, version);
    return { project, objectId: wanted.objectId, digest: row.digest };
  }
}

export interface VersionName {
  projectId: string;
  objectId: string;
  /** `latest`, `vN`, an alias or a digest. */
  version: string;
}

interface ResolvedVersion {
  project: ProjectRef;
  objectId: string;
  digest: string;
}

type Check = typeof checkTag;

/** @param check of names that are given; others may be older than it */
const storedNames = (names: string[], field: string, check?: Check): string[] =>
  names.map((name, i) => {
    check?.(name, ['body', field, i]);
    return storedName(name, ['body', field, i]);
  });
