import { parseProjectId, type ProjectRef } from '@heddle/projects';
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphqlContext } from './graphql-context.js';
import { ProjectType } from './project.type.js';

interface UpsertModelInput {
  name: string;
  entityName?: string | null;
}

interface UpsertModelPayload {
  model: ProjectRef;
  inserted: boolean;
}

const UpsertModelInputType = new GraphQLInputObjectType({
  name: 'UpsertModelInput',
  fields: {
    name: { type: new GraphQLNonNull(GraphQLString) },
    entityName: { type: GraphQLString, description: "Default: the caller's default entity." },
    id: { type: GraphQLString, description: 'Accepted and ignored: projects go by name.' },
    description: { type: GraphQLString, description: 'Accepted and ignored.' },
    repo: { type: GraphQLString, description: 'Accepted and ignored.' },
  },
});

const UpsertModelPayloadType = new GraphQLObjectType<UpsertModelPayload, GraphqlContext>({
  name: 'UpsertModelPayload',
  fields: {
    model: { type: new GraphQLNonNull(ProjectType) },
    project: { type: new GraphQLNonNull(ProjectType), resolve: ({ model }) => model },
    inserted: { type: new GraphQLNonNull(GraphQLBoolean) },
  },
});

/** Makes the project if the entity has none of that name. */
export const upsertModelMutation: GraphQLFieldConfig<unknown, GraphqlContext, { input: UpsertModelInput }> = {
  type: UpsertModelPayloadType,
  args: { input: { type: new GraphQLNonNull(UpsertModelInputType) } },
  resolve: async (_root, { input }, { caller, projects }): Promise<UpsertModelPayload> => {
    const entity = input.entityName ?? caller.defaultTeam ?? '';
    const name = parseProjectId(`${entity}/${input.name}`, ['variables', 'name']);
    const existing = await projects.findWritable(caller, name);
    return { model: existing ?? (await projects.findOrCreate(caller, name)), inserted: !existing };
  },
};
