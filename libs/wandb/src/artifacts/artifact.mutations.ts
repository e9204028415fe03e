import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { Resolvers } from '../graphql/resolvers.js';
import type { RunPlace } from '../runs/sdk-runs.service.js';
import type { AliasInput, UpdateArtifactInput } from './artifact-changes.service.js';
import type { CreateArtifactInput } from './artifact-input.js';
import type { FileSpec, PreparedFile } from './sdk-artifact-files.service.js';
import type { NewManifest } from './sdk-manifests.service.js';

interface Input<T> {
  input: T;
}

interface AliasesInput {
  artifactID: string;
  aliases: AliasInput[];
}

/** A manifest and where to upload it. */
function manifestOf(id: string, { urls, baseUrl }: GraphqlContext): object {
  const uploadUrl = urls.sign(baseUrl, { kind: 'put-manifest', manifest: id });
  return { artifactManifest: { id, file: { id, uploadUrl, uploadHeaders: [] } } };
}

const fileOf = ({ artifact, name, md5, uploadUrl }: PreparedFile): object => ({
  id: `${artifact.row.id}:${name}`,
  name,
  storagePath: `artifacts/${artifact.row.id}/${md5}`,
  uploadUrl,
  uploadHeaders: [],
  // In one piece, whatever its size: see the route's limit.
  uploadMultipartUrls: null,
  artifact,
});

export const artifactMutations: Resolvers = {
  Mutation: {
    createArtifact: async (_root, { input }: Input<CreateArtifactInput>, { caller, artifacts }) => ({
      artifact: await artifacts.create(caller, input),
    }),
    createArtifactManifest: async (_root, { input }: Input<NewManifest>, context) =>
      manifestOf(await context.manifests.create(context.caller, input), context),
    updateArtifactManifest: async (
      _root,
      { input }: Input<{ artifactManifestID: string; baseArtifactID?: string | null }>,
      context,
    ) =>
      manifestOf(
        await context.manifests.update(context.caller, input.artifactManifestID, input.baseArtifactID),
        context,
      ),
    createArtifactFiles: async (_root, { input }: Input<{ artifactFiles: FileSpec[] }>, context) => {
      const files = await context.artifactFiles.prepare(context.caller, input.artifactFiles, context.baseUrl);
      return { files: { edges: files.map((file) => ({ node: fileOf(file) })) } };
    },
    commitArtifact: async (_root, { input }: Input<{ artifactID: string }>, { caller, commits }) => ({
      artifact: await commits.commit(caller, input.artifactID),
    }),
    useArtifact: async (_root, { input }: Input<RunPlace & { artifactID: string }>, { caller, artifactChanges }) => ({
      artifact: await artifactChanges.use(caller, input.artifactID, input),
    }),
    updateArtifact: async (_root, { input }: Input<UpdateArtifactInput>, { caller, artifactChanges }) => ({
      artifact: await artifactChanges.update(caller, input),
    }),
    deleteArtifact: async (
      _root,
      { input }: Input<{ artifactID: string; deleteAliases?: boolean | null }>,
      { caller, artifactChanges },
    ) => ({ artifact: await artifactChanges.delete(caller, input.artifactID, input.deleteAliases === true) }),
    addAliases: async (_root, { input }: Input<AliasesInput>, { caller, artifactChanges }) => {
      const artifact = await artifactChanges.addAliases(caller, input.artifactID, input.aliases);
      return { success: true, artifact };
    },
    deleteAliases: async (_root, { input }: Input<AliasesInput>, { caller, artifactChanges }) => {
      const artifact = await artifactChanges.deleteAliases(caller, input.artifactID, input.aliases);
      return { success: true, artifact };
    },
  },
};
