import { Injectable } from '@nestjs/common';
import type { TrainingJobKind, TrainingJobState } from '@heddle/database';
import { type Actor, DomainEventsService } from '@heddle/events';
import type { EntityManager } from 'typeorm';

export interface NewsOfJob {
  id: string;
  kind: TrainingJobKind;
  modelId: string;
  /** The checkpoint that it made. */
  step: number | null;
}

interface Surroundings {
  modelName: string;
  projectId: number;
  projectName: string;
  teamId: string;
  teamName: string;
  runId: string;
  runName: string;
  runDisplayName: string;
  runCreatedBy: string;
}

/** A model whose run was deleted stands for it itself, so that its jobs' automations go on. */
const SURROUNDINGS = `
  SELECT m.name AS "modelName", p.id AS "projectId", p.name AS "projectName", t.id AS "teamId", t.name AS "teamName",
         coalesce(r.id, m.id) AS "runId", coalesce(r.name, m.name) AS "runName",
         coalesce(r.display_name, m.name) AS "runDisplayName", coalesce(r.created_by, m.created_by) AS "runCreatedBy"
    FROM models m JOIN projects p ON p.id = m.project_id JOIN teams t ON t.id = p.team_id
    LEFT JOIN runs r ON r.id = m.run_id
   WHERE m.id = $1`;

/** Tells other features of a job's new state, in the transaction that brings it about. */
@Injectable()
export class JobNewsService {
  constructor(private readonly events: DomainEventsService) {}

  async publish(manager: EntityManager, actor: Actor, job: NewsOfJob, state: TrainingJobState): Promise<void> {
    const [around] = await manager.query<Surroundings[]>(SURROUNDINGS, [job.modelId]);
    if (!around) return;
    await this.events.publish(manager, {
      type: 'TRAINING_JOB_STATE',
      actor,
      place: {
        teamId: around.teamId,
        entity: around.teamName,
        project: { id: around.projectId, name: around.projectName },
        registry: null,
      },
      run: {
        id: around.runId,
        name: around.runName,
        displayName: around.runDisplayName,
        createdBy: around.runCreatedBy,
      },
      state,
      job: { id: job.id, kind: job.kind, modelId: job.modelId, modelName: around.modelName, step: job.step },
    });
  }
}
