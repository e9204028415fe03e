import type { ProjectRef } from '@heddle/projects';
import { connectionOf, type PageArgs } from '../graphql/connection.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { typeOf } from './artifact.resolvers.js';
import type { CollectionSource } from './artifact-source.js';

interface TypeSource {
  name: string;
  project: ProjectRef;
}

interface ListArgs extends PageArgs {
  order?: string | null;
}

const sequence: FieldResolvers<CollectionSource> = {
  id: ({ entity }) => entity.id,
  name: ({ entity }) => entity.name,
  description: ({ entity }) => entity.description,
  createdAt: ({ entity }) => entity.createdAt,
  updatedAt: ({ entity }) => entity.createdAt,
  defaultArtifactType: ({ entity }) => typeOf(entity.type),
  tags: async ({ entity, project }, _args, { caller, collections }) => {
    const name = { entity: project.entity, project: project.name, collection: entity.name };
    const { tags } = await collections.get(caller, name);
    return connectionOf(tags.map((tag) => ({ id: tag, name: tag })));
  },
  artifactMembership: (collection, { aliasName }: { aliasName: string }, { artifactReads }) =>
    artifactReads.findVersion(collection, aliasName),
  artifacts: async (collection, { order, ...args }: ListArgs, { artifactReads }) => {
    const newestFirst = await artifactReads.list(collection);
    const versions = order?.startsWith('+') ? newestFirst.reverse() : newestFirst;
    const page = connectionOf(versions, args);
    return { ...page, edges: page.edges.map((edge) => ({ ...edge, version: `v${edge.node.row.index!}` })) };
  },
  latestArtifact: (collection, _args, { artifactReads }) => artifactReads.findVersion(collection, 'latest'),
  digestAlgorithm: () => 'MANIFEST_MD5',
};

const project: FieldResolvers<ProjectRef> = {
  artifact: (source, { name }: { name: string }, { artifactReads }) => artifactReads.findNamed(source, name),
  artifactType: (source, { name }: { name: string }) => ({ ...typeOf(name), project: source }),
  artifactCollection: (source, { name }: { name: string }, { artifactReads }) =>
    artifactReads.findCollection(source, name),
  artifactCollectionMembership: (source, { name }: { name: string }, { artifactReads }) =>
    artifactReads.findNamed(source, name),
};

const type: FieldResolvers<TypeSource> = {
  artifactCollection: async (source, { name }: { name: string }, { artifactReads }) => {
    const collection = await artifactReads.findCollection(source.project, name);
    return collection?.entity.type === source.name ? collection : null;
  },
};

export const collectionResolvers: Resolvers = { Project: project, ArtifactType: type, ArtifactSequence: sequence };
