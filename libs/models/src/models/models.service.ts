import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { BaseModelsService } from '@heddle/base-models';
import { Model, type Run } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { ProjectAccessService, type ProjectRef, resolveEntity } from '@heddle/projects';
import { RunExistsError, RunWriter } from '@heddle/runs';
import type { DataSource, EntityManager } from 'typeorm';
import { CheckpointsRepository } from '../checkpoints/checkpoints.repository.js';
import { ModelAccessService } from './model-access.service.js';
import { ModelCollectionsService } from './model-collections.service.js';
import type { ModelRef } from './model-ref.js';
import {
  LoraRankDiffersError,
  LoraRankRefusedError,
  ModelExistsError,
  OtherBaseModelError,
  UnknownBaseModelError,
} from './models.errors.js';
import { type ModelFilter, ModelsRepository } from './models.repository.js';

export interface Registration {
  /** null: the caller's default one. */
  entity: string | null;
  project: string;
  name: string;
  baseModel: string;
  /** null: the base model's default. */
  loraRank: number | null;
  returnExisting: boolean;
}

/** A model with its newest step, 0 before the first checkpoint. */
export type ModelView = ModelRef & { step: number };

/** Models as their project's users see them. */
@Injectable()
export class ModelsService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly access: ModelAccessService,
    private readonly models: ModelsRepository,
    private readonly checkpoints: CheckpointsRepository,
    private readonly collections: ModelCollectionsService,
    private readonly runs: RunWriter,
    private readonly baseModels: BaseModelsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /**
   * Makes the model, its project where there is none, its run and its collection. Of many that register the same name at
   * once one makes it. @throws UnknownBaseModelError | LoraRankRefusedError | ModelExistsError unless an existing one may be
   * returned, and then OtherBaseModelError | LoraRankDiffersError
   */
  async register(caller: Principal, fields: Registration): Promise<ModelView> {
    const place = { entity: resolveEntity(caller, fields.entity), project: fields.project };
    const name = { ...place, model: fields.name };
    // Also for viewers: nothing changes.
    const known = (await this.projects.find(caller, place)) && (await this.models.findByName(name));
    if (!known) {
      this.checkBase(fields);
      const project = await this.projects.findOrCreate(caller, place);
      const isNew = await this.dataSource.transaction((manager) => this.create(manager, caller, project, fields));
      if (isNew) return this.view(await this.access.findByName(caller, name));
    }
    if (!fields.returnExisting) throw new ModelExistsError(fields.name, `${place.entity}/${place.project}`);
    const existing = known ?? (await this.access.findByName(caller, name));
    const base = existing.model.baseModel;
    if (base !== fields.baseModel) throw new OtherBaseModelError(fields.name, base, fields.baseModel);
    this.requireRank(existing.model, fields.loraRank);
    return this.view(existing);
  }

  async get(caller: Principal, id: string): Promise<ModelView> {
    return this.view(await this.access.find(caller, id));
  }

  async list(caller: Principal, filter: ModelFilter, query: PageQuery): Promise<ModelView[]> {
    const teamIds = [...caller.teams.values()].map(({ teamId }) => teamId);
    const refs = await this.models.findPage(teamIds, caller.userId, filter, query);
    const steps = await this.checkpoints.latestSteps(refs.map(({ model }) => model.id));
    return refs.map((ref) => ({ ...ref, step: steps.get(ref.model.id) ?? 0 }));
  }

  /** Of a base model that is not ready yet it shows only in training what memory allows. */
  private checkBase({ baseModel, loraRank }: Registration): void {
    const { ids } = this.baseModels;
    if (!ids.includes(baseModel)) throw new UnknownBaseModelError(baseModel, ids);
    if (loraRank === null) return;
    const refusal = this.baseModels.refusalOf(baseModel, { rank: loraRank });
    if (refusal !== null) throw new LoraRankRefusedError(loraRank, refusal);
  }

  private requireRank({ name, baseModel, loraRank }: Model, asked: number | null): void {
    if (asked === null || asked === (loraRank ?? this.baseModels.defaultRank(baseModel))) return;
    throw new LoraRankDiffersError(name, asked, loraRank);
  }

  private async view(ref: ModelRef): Promise<ModelView> {
    const latest = await this.checkpoints.findLatest(ref.model.id);
    return { ...ref, step: latest?.step ?? 0 };
  }

  /** @returns false where somebody else has just made it */
  private async create(
    manager: EntityManager,
    caller: Principal,
    project: ProjectRef,
    { name, baseModel, loraRank }: Registration,
  ): Promise<boolean> {
    const fields = { projectId: project.id, name, baseModel, loraRank, createdBy: caller.username };
    const id = await this.models.insert(manager, fields);
    if (id === null) return false;
    const model = await manager.findOneByOrFail(Model, { id });
    await this.collections.findOrCreate(manager, { model, project });
    const run = await this.createRun(manager, caller, project, model);
    await manager.update(Model, id, { runId: run.id });
    return true;
  }

  /** A run of the model's name, or of one like it where the project has such a run. */
  private async createRun(
    manager: EntityManager,
    caller: Principal,
    project: ProjectRef,
    { name, baseModel }: Model,
  ): Promise<Run> {
    const fields = { name, displayName: name, config: { model: name, base_model: baseModel } };
    try {
      return await this.runs.create(manager, caller, project, fields);
    } catch (error) {
      if (!(error instanceof RunExistsError)) throw error;
      const unique = `${name.slice(0, 100)}-${randomBytes(5).toString('hex')}`;
      return this.runs.create(manager, caller, project, { ...fields, name: unique });
    }
  }
}
