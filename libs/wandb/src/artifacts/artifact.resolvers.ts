import { connectionOf, type PageArgs } from '../graphql/connection.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import type { RunSource } from '../runs/run-source.js';
import type { ArtifactSource, MembershipSource } from './artifact-source.js';
import { filesOf, type FilesArgs } from './artifact-file.connection.js';

/** Of these versions, those that the caller may see. */
async function visible(ids: readonly string[], { caller, artifactReads }: GraphqlContext): Promise<ArtifactSource[]> {
  const sources = await Promise.all(ids.map((id) => artifactReads.find(caller, id)));
  return sources.filter((source) => source !== null);
}

export const typeOf = (name: string, createdAt: Date | null = null): object => ({
  id: name,
  name,
  description: null,
  createdAt,
});

const aliasesOf = ({ row, collection }: MembershipSource): object[] =>
  row.aliases.map((alias) => ({ id: `${collection.entity.id}:${alias}`, alias, artifactCollection: collection }));

const artifact: FieldResolvers<ArtifactSource> = {
  id: ({ row }) => row.id,
  artifactSequence: ({ collection }) => collection,
  artifactType: ({ collection }) => typeOf(collection.entity.type),
  versionIndex: ({ row }) => row.index,
  description: ({ row }) => row.description,
  metadata: ({ row }) => row.metadata,
  // Clients take what is not positive for no limit.
  ttlDurationSeconds: ({ row }) => row.stays_seconds ?? -2,
  ttlIsInherited: ({ row }) => row.ttl_seconds === null,
  tags: ({ row }) => row.tags.map((tag) => ({ id: tag, name: tag })),
  // In all collections: clients take those of the one that they came by.
  aliases: async (source, _args, { caller, memberships }) =>
    source.row.committed_at ? (await memberships.of(caller, source)).flatMap(aliasesOf) : aliasesOf(source),
  historyStep: ({ sdk }) => sdk?.historyStep ?? null,
  state: ({ row }) => (row.committed_at ? 'COMMITTED' : 'PENDING'),
  size: ({ row }) => row.size_bytes,
  digest: ({ row, sdk }) => sdk?.digest ?? row.digest ?? '',
  digestAlgorithm: () => 'MANIFEST_MD5',
  commitHash: () => null,
  fileCount: ({ row }) => row.file_count,
  createdAt: ({ row }) => row.created_at,
  updatedAt: ({ row }) => row.committed_at ?? row.created_at,
  currentManifest: ({ row }, _args, { urls, baseUrl }) => {
    if (!row.committed_at) return null;
    const directUrl = urls.sign(baseUrl, { kind: 'get-manifest', version: row.id });
    return { id: row.id, file: { id: row.id, name: 'wandb_manifest.json', directUrl, uploadHeaders: [] } };
  },
  createdBy: ({ sdk }, _args, { caller, runs }) => (sdk?.runId ? runs.findVisible(caller, sdk.runId) : null),
  usedBy: async ({ row }, _args, { caller, lineage, runs }) => {
    const users = await Promise.all((await lineage.usersOf(row.id)).map((id) => runs.findVisible(caller, id)));
    return connectionOf(users.filter((run) => run !== null));
  },
  artifactMemberships: async (source, _args, { caller, memberships }) =>
    connectionOf(await memberships.of(caller, source)),
  files: ({ row }, args: FilesArgs, context) => filesOf(row, args, context),
};

const membership: FieldResolvers<MembershipSource> = {
  id: ({ row, collection }) => `${collection.entity.id}:${row.id}`,
  versionIndex: ({ row }) => row.index,
  createdAt: ({ row }) => row.added_at,
  aliases: aliasesOf,
  artifactCollection: ({ collection }) => collection,
  artifact: (source, _args, { caller, artifactReads }) => artifactReads.artifactOf(caller, source),
  files: ({ row }, args: FilesArgs, context) => filesOf(row, args, context),
};

const run: FieldResolvers<RunSource> = {
  outputArtifacts: async ({ run: { id } }, args: PageArgs, context) =>
    connectionOf(await visible(await context.lineage.madeBy(id), context), args),
  inputArtifacts: async ({ run: { id } }, args: PageArgs, context) =>
    connectionOf(await visible(await context.lineage.usedBy(id), context), args),
};

export const artifactResolvers: Resolvers = {
  Query: {
    artifact: (_root, { id }: { id: string }, { caller, artifactReads }) => artifactReads.find(caller, id),
    clientIDMapping: async (_root, { clientID }: { clientID: string }, { caller, artifactReads }) => {
      const serverID = await artifactReads.findByClientId(caller, clientID);
      return serverID && { serverID };
    },
  },
  Artifact: artifact,
  ArtifactCollectionMembership: membership,
  Run: run,
};
