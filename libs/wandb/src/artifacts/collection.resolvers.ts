import { connectionOf, type PageArgs } from '../graphql/connection.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import type { PlaceSource } from '../places/place-source.js';
import { typeOf } from './artifact.resolvers.js';
import type { CollectionSource } from './artifact-source.js';
import type { CollectionPlace } from './collection-changes.service.js';
import type { ListArgs } from './reading/collections-finder.service.js';

interface TypeSource {
  name: string;
  project: PlaceSource;
}

interface TagsInput extends CollectionPlace {
  tags: { tagName: string }[];
}

interface Described {
  name?: string | null;
  description?: string | null;
}

const collection: FieldResolvers<CollectionSource> = {
  id: ({ entity }) => entity.id,
  name: ({ entity }) => entity.name,
  description: ({ entity }) => entity.description,
  createdAt: ({ entity }) => entity.createdAt,
  updatedAt: ({ entity }) => entity.createdAt,
  state: () => 'READY',
  defaultArtifactType: ({ entity }) => typeOf(entity.type),
  tags: async (source, _args, { caller, collectionChanges }) =>
    connectionOf((await collectionChanges.tagsOf(caller, source)).map((tag) => ({ id: tag, name: tag }))),
  aliases: async (source, args: PageArgs, { versionList }) => {
    const versions = await versionList.list(source, {});
    const aliases = versions.flatMap(({ row }) => row.aliases);
    const nodes = aliases.map((alias) => ({ id: `${source.entity.id}:${alias}`, alias, artifactCollection: source }));
    return connectionOf(nodes, args);
  },
  artifactMembership: (source, { aliasName }: { aliasName: string }, { artifactReads }) =>
    artifactReads.findVersion(source, aliasName),
  artifacts: async (source, { order, filters, ...args }: ListArgs & PageArgs, context) => {
    const { caller, artifactReads, versionList } = context;
    const wanted = { order: order ?? null, filters: filters ?? null };
    const { edges, ...page } = connectionOf(await versionList.list(source, wanted), args);
    const nodes = await Promise.all(edges.map(({ node }) => artifactReads.artifactOf(caller, node)));
    const numbered = edges.map((edge, i) => ({ ...edge, node: nodes[i], version: `v${edge.node.row.index!}` }));
    return { ...page, edges: numbered.filter(({ node }) => node) };
  },
};

const sequence: FieldResolvers<CollectionSource> = {
  ...collection,
  latestArtifact: async (source, _args, { caller, artifactReads }) => {
    const latest = await artifactReads.findVersion(source, 'latest');
    return latest && artifactReads.artifactOf(caller, latest);
  },
  digestAlgorithm: () => 'MANIFEST_MD5',
};

const project: FieldResolvers<PlaceSource> = {
  artifact: async (source, { name }: { name: string }, { caller, artifactReads }) => {
    const found = await artifactReads.findNamed(source, name);
    return found && artifactReads.artifactOf(caller, found);
  },
  artifactType: async (source, { name }: { name: string }, { collectionList }) => {
    const found = (await collectionList.types(source)).find((each) => each.name === name);
    return found ? { ...typeOf(name, found.createdAt), project: source } : null;
  },
  artifactTypes: async (source, args: PageArgs, { collectionList }) => {
    const types = await collectionList.types(source);
    return connectionOf(
      types.map(({ name, createdAt }) => ({ ...typeOf(name, createdAt), project: source })),
      args,
    );
  },
  artifactCollection: (source, { name }: { name: string }, { artifactReads }) =>
    artifactReads.findCollection(source, name),
  artifactCollections: async (source, { order, filters, ...args }: ListArgs & PageArgs, { collectionList }) =>
    connectionOf(await collectionList.list(source, { order: order ?? null, filters: filters ?? null }), args),
  artifactCollectionMembership: (source, { name }: { name: string }, { artifactReads }) =>
    artifactReads.findNamed(source, name),
};

const type: FieldResolvers<TypeSource> = {
  artifactCollection: async (source, { name }: { name: string }, { artifactReads }) => {
    const found = await artifactReads.findCollection(source.project, name);
    return found?.entity.type === source.name ? found : null;
  },
  artifactCollections: async (source, { order, filters, ...args }: ListArgs & PageArgs, { collectionList }) => {
    const wanted = { order: order ?? null, filters: filters ?? null, type: source.name };
    return connectionOf(await collectionList.list(source.project, wanted), args);
  },
};

export const collectionResolvers: Resolvers = {
  Query: {
    artifactCollection: (_root, { id }: { id: string }, { caller, collectionList }) => collectionList.get(caller, id),
  },
  Mutation: {
    updateArtifactSequence: async (
      _root,
      { input }: { input: Described & { artifactSequenceID: string } },
      { caller, collectionChanges },
    ) => ({ artifactCollection: await collectionChanges.update(caller, input.artifactSequenceID, input) }),
    updateArtifactPortfolio: async (
      _root,
      { input }: { input: Described & { artifactPortfolioID: string } },
      { caller, collectionChanges },
    ) => ({ artifactCollection: await collectionChanges.update(caller, input.artifactPortfolioID, input) }),
    deleteArtifactSequence: async (
      _root,
      { input }: { input: { artifactSequenceID: string } },
      { caller, collectionChanges },
    ) => ({ artifactCollection: await collectionChanges.delete(caller, input.artifactSequenceID) }),
    deleteArtifactPortfolio: async (
      _root,
      { input }: { input: { artifactPortfolioID: string } },
      { caller, collectionChanges },
    ) => ({ artifactCollection: await collectionChanges.delete(caller, input.artifactPortfolioID) }),
    moveArtifactSequence: async (
      _root,
      { input }: { input: { artifactSequenceID: string; destinationArtifactTypeName: string } },
      { caller, collectionChanges },
    ) => ({
      artifactCollection: await collectionChanges.move(
        caller,
        input.artifactSequenceID,
        input.destinationArtifactTypeName,
      ),
    }),
    createArtifactCollectionTagAssignments: async (_root, { input }: { input: TagsInput }, context) => {
      const names = input.tags.map(({ tagName }) => tagName);
      await context.collectionChanges.addTags(context.caller, input, names);
      return { tags: names.map((name) => ({ id: name, name })) };
    },
    deleteArtifactCollectionTagAssignments: async (_root, { input }: { input: TagsInput }, context) => {
      const names = input.tags.map(({ tagName }) => tagName);
      await context.collectionChanges.removeTags(context.caller, input, names);
      return { success: true };
    },
  },
  Project: project,
  ArtifactType: type,
  ArtifactSequence: sequence,
  ArtifactPortfolio: collection,
};
