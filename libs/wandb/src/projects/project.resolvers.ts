import { EntityNotFoundError, type ProjectRef } from '@heddle/projects';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { projectNameOf } from './project-name.js';

interface ProjectArgs {
  name?: string | null;
  entityName?: string | null;
}

interface UpsertModelInput {
  name: string;
  entityName?: string | null;
}

const findProject = async (
  _root: unknown,
  { name, entityName }: ProjectArgs,
  { caller, projects }: GraphqlContext,
): Promise<ProjectRef | null> => {
  if (!entityName && !caller.defaultTeam) return null;
  try {
    return await projects.find(caller, projectNameOf(caller, entityName, name));
  } catch (error) {
    if (error instanceof EntityNotFoundError) return null;
    throw error;
  }
};

const project: FieldResolvers<ProjectRef> = {
  internalId: ({ id }) => String(id),
  entityName: ({ entity }) => entity,
  entity: ({ teamId, entity }) => ({ id: teamId, name: entity }),
  isBenchmark: () => false,
  readOnly: () => false,
};

export const projectResolvers: Resolvers = {
  Query: { project: findProject, model: findProject },
  Mutation: {
    /** Makes the project if the entity has none of that name. */
    upsertModel: async (_root: never, { input }: { input: UpsertModelInput }, { caller, projects }) => {
      const name = projectNameOf(caller, input.entityName, input.name);
      const existing = await projects.findWritable(caller, name);
      const model = existing ?? (await projects.findOrCreate(caller, name));
      return { model, project: model, inserted: !existing };
    },
  },
  Project: project,
};
