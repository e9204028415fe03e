import type { Model } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';

/** A model and where it lies, for changes and their events. */
export interface ModelRef {
  /** With its run, if it has one. */
  model: Model;
  project: ProjectRef;
}

export interface ModelName {
  entity: string;
  project: string;
  model: string;
}

/** @param model with its project and the project's team */
export const modelRef = (model: Model): ModelRef => ({
  model,
  project: {
    id: model.project.id,
    teamId: model.project.teamId,
    entity: model.project.team.name,
    name: model.project.name,
  },
});

/** Whether it has had a checkpoint, even if none is left. */
export const hasBeenTrained = ({ nextStep }: Pick<Model, 'nextStep'>): boolean => nextStep > 1;
