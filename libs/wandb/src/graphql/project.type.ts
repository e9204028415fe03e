import type { ProjectRef } from '@heddle/projects';
import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import { EntityType } from './entity.type.js';
import type { GraphqlContext } from './graphql-context.js';

export const ProjectType = new GraphQLObjectType<ProjectRef, GraphqlContext>({
  name: 'Project',
  description: 'Where calls, runs and artifacts belong. Some clients call it a model.',
  fields: {
    id: { type: new GraphQLNonNull(GraphQLID) },
    name: { type: new GraphQLNonNull(GraphQLString) },
    entityName: { type: new GraphQLNonNull(GraphQLString), resolve: (project) => project.entity },
    entity: {
      type: new GraphQLNonNull(EntityType),
      resolve: (project) => ({ id: project.teamId, name: project.entity }),
    },
    description: {
      type: GraphQLString,
      description: 'Asked for by clients; projects have none here.',
      resolve: () => null,
    },
  },
});
