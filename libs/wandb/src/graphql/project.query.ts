import { parseProjectId, EntityNotFoundError } from '@heddle/projects';
import { type GraphQLFieldConfig, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphqlContext } from './graphql-context.js';
import { ProjectType } from './project.type.js';

interface ProjectArgs {
  name: string;
  entityName?: string | null;
}

/** A project by name; `entityName` left out means the caller's default entity. Null if absent or another team's. */
export const projectQuery: GraphQLFieldConfig<unknown, GraphqlContext, ProjectArgs> = {
  type: ProjectType,
  args: { name: { type: new GraphQLNonNull(GraphQLString) }, entityName: { type: GraphQLString } },
  resolve: async (_root, { name, entityName }, { caller, projects }) => {
    const entity = entityName ?? caller.defaultTeam;
    if (!entity) return null;
    try {
      return await projects.find(caller, parseProjectId(`${entity}/${name}`, ['variables', 'name']));
    } catch (error) {
      if (error instanceof EntityNotFoundError) return null;
      throw error;
    }
  },
};
