import type { Connection, PageArgs } from '../graphql/connection.js';
import type { EntitySource } from '../accounts/account.resolvers.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { isRegistry, type PlaceSource, registryNameOf } from '../places/place-source.js';
import type { UpsertRegistryInput } from '../registries/registry-changes.service.js';
import { projectNameOf } from './project-name.js';

interface ProjectArgs {
  name?: string | null;
  entityName?: string | null;
}

interface UpsertedModel {
  model: PlaceSource;
  project: PlaceSource;
  inserted: boolean;
}

const findProject = (
  _root: unknown,
  { name, entityName }: ProjectArgs,
  { caller, places }: GraphqlContext,
): Promise<PlaceSource | null> => places.find(caller, entityName, name);

/** What is not kept in the name: when it was made, and what a registry is for. */
const detailsOf = async (
  source: PlaceSource,
  { caller, projectList, registries }: GraphqlContext,
): Promise<{ createdAt: Date; description: string | null }> =>
  isRegistry(source)
    ? registries.details(caller, source)
    : {
        createdAt: (await projectList.get(caller, { entity: source.entity, project: source.name })).createdAt,
        description: null,
      };

const project: FieldResolvers<PlaceSource> = {
  internalId: ({ id }) => String(id),
  entityName: ({ entity }) => entity,
  entity: ({ teamId, entity }) => ({ id: teamId, name: entity }),
  createdAt: async (source, _args, context) => (await detailsOf(source, context)).createdAt,
  description: async (source, _args, context) =>
    isRegistry(source) ? (await detailsOf(source, context)).description : null,
  user: () => null,
  access: (source) => (isRegistry(source) ? 'PRIVATE' : null),
  allowAllArtifactTypesInRegistry: () => true,
  isBenchmark: () => false,
  readOnly: () => false,
};

async function upsertModel(
  { caller, projects, registries }: GraphqlContext,
  input: UpsertRegistryInput,
): Promise<UpsertedModel> {
  if (registryNameOf(input.name)) {
    const { registry, inserted } = await registries.upsert(caller, input);
    return { model: registry, project: registry, inserted };
  }
  const name = projectNameOf(caller, input.entityName, input.name);
  const existing = await projects.findWritable(caller, name);
  const model = existing ?? (await projects.findOrCreate(caller, name));
  return { model, project: model, inserted: !existing };
}

async function listProjects(
  { caller, projectList }: GraphqlContext,
  { entityName, ...page }: PageArgs & { entityName?: string | null },
): Promise<Connection<PlaceSource>> {
  const entity = (entityName || caller.defaultTeam) ?? undefined;
  const limit = Math.max(1, Math.min(page.first ?? 50, 1000));
  const query = { order: 'desc' as const, limit, ...(entity && { entity }), ...(page.after && { after: page.after }) };
  const found = await projectList.list(caller, query);
  const sources = found.slice(0, limit).map(({ id, teamId, team, name }) => ({ id, teamId, entity: team.name, name }));
  const edges = sources.map((node) => ({ node, cursor: `${node.entity}/${node.name}` }));
  const pageInfo = { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: found.length > limit };
  return { totalCount: edges.length, edges, pageInfo };
}

export const projectResolvers: Resolvers = {
  Query: {
    project: findProject,
    model: findProject,
    models: (_root, args: PageArgs & { entityName?: string | null }, context) => listProjects(context, args),
  },
  Mutation: {
    /** Makes the project, or the registry, if the entity has none of that name. */
    upsertModel: (_root, { input }: { input: UpsertRegistryInput }, context) => upsertModel(context, input),
  },
  Entity: {
    project: ({ name: entityName }: EntitySource, { name }: { name?: string | null }, context) =>
      findProject(null, { name: name ?? null, entityName }, context),
  },
  Project: project,
};
