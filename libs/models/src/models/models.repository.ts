import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUuid, Model } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { type ModelName, modelRef, type ModelRef } from './model-ref.js';

export interface ModelFilter {
  entity?: string;
  project?: string;
  name?: string;
  baseModel?: string;
}

export interface NewModel {
  projectId: number;
  name: string;
  baseModel: string;
  loraRank: number | null;
  createdBy: string;
}

/** What the caller's teams own, and what projects of others grant to the caller. */
const VISIBLE = `(project.teamId = ANY(:teamIds)
  OR EXISTS (SELECT FROM project_members m WHERE m.project_id = project.id AND m.user_id = :userId))`;

/** Models with their projects and runs, whoever asks. */
@Injectable()
export class ModelsRepository {
  constructor(@InjectRepository(Model) private readonly models: Repository<Model>) {}

  async findById(id: string): Promise<ModelRef | null> {
    if (!isUuid(id)) return null;
    return refOf(await this.withPlaces().where('model.id = :id', { id }).getOne());
  }

  async findByName({ entity, project, model: name }: ModelName): Promise<ModelRef | null> {
    const found = this.withPlaces().where('team.name = :entity AND project.name = :project', { entity, project });
    return refOf(await found.andWhere('model.name = :name', { name }).getOne());
  }

  /** Those that a user may see. */
  async findPage(
    teamIds: readonly string[],
    userId: string,
    { entity, project, name, baseModel }: ModelFilter,
    query: PageQuery,
  ): Promise<ModelRef[]> {
    const list = this.withPlaces().where(VISIBLE, { teamIds, userId });
    if (entity !== undefined) list.andWhere('team.name = :entity', { entity });
    if (project !== undefined) list.andWhere('project.name = :project', { project });
    if (name !== undefined) list.andWhere('model.name = :name', { name });
    if (baseModel !== undefined) list.andWhere('model.baseModel = :baseModel', { baseModel });
    return (await findPage(list, query)).map(modelRef);
  }

  findAllIn(manager: EntityManager, projectId: number): Promise<Model[]> {
    return manager.find(Model, { where: { projectId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Waits for whoever makes one of the same name. @returns its id; null where the project has a model of that name */
  async insert(manager: EntityManager, model: NewModel): Promise<string | null> {
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(Model)
      .values(model)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as { id: string }[])[0]?.id ?? null;
  }

  /** The model, held against others who change it or its checkpoints until the transaction ends. */
  lock(manager: EntityManager, id: string): Promise<Model | null> {
    return manager.findOne(Model, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  private withPlaces(): SelectQueryBuilder<Model> {
    return this.models
      .createQueryBuilder('model')
      .innerJoinAndSelect('model.project', 'project')
      .innerJoinAndSelect('project.team', 'team')
      .leftJoinAndSelect('model.run', 'run');
  }
}

const refOf = (model: Model | null): ModelRef | null => model && modelRef(model);
