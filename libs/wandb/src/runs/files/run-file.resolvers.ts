import type { PageArgs } from '../../graphql/connection.js';
import type { GraphqlContext } from '../../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../../graphql/resolvers.js';
import type { RunSource } from '../run-source.js';
import type { RunPlace } from '../sdk-runs.service.js';
import type { RunFileRow } from './run-files.repository.js';

const MAX_PAGE = 1000;

interface FilesArgs extends PageArgs {
  names?: string[] | null;
  pattern?: string | null;
}

function fileOf(
  run: string,
  { path, sha256, md5, size, uploadedAt }: RunFileRow,
  { urls, baseUrl }: GraphqlContext,
): object {
  const directUrl = urls.sign(baseUrl, { kind: 'get-content', sha256, name: path });
  return {
    id: `${run}:${path}`,
    name: path,
    displayName: path,
    // To upload to, createRunFiles gives another.
    url: directUrl,
    directUrl,
    sizeBytes: size,
    mimetype: 'application/octet-stream',
    updatedAt: uploadedAt,
    md5: md5 && Buffer.from(md5, 'hex').toString('base64'),
    digest: md5 && Buffer.from(md5, 'hex').toString('base64'),
    uploadHeaders: [],
  };
}

const run: FieldResolvers<RunSource> = {
  fileCount: ({ run }, _args, { runFiles }) => runFiles.count(run.id),
  files: async ({ run }, { names, pattern, first, after }: FilesArgs, context) => {
    const limit = Math.min(first ?? MAX_PAGE, MAX_PAGE);
    const wanted = names && names.length > 0 ? names : null;
    const found = await context.runFiles.list(
      run.id,
      { names: wanted, pattern: pattern || null, after: after || null },
      limit,
    );
    const files = found.slice(0, limit);
    return {
      totalCount: await context.runFiles.count(run.id),
      edges: files.map((file) => ({ node: fileOf(run.id, file, context), cursor: file.path })),
      pageInfo: { endCursor: files.at(-1)?.path ?? null, hasNextPage: found.length > limit },
    };
  },
};

export const runFileResolvers: Resolvers = {
  Mutation: {
    createRunFiles: async (_root, { input }: { input: RunPlace & { files: string[] } }, context) => {
      const { runId, files } = await context.runFiles.prepare(context.caller, input, context.baseUrl);
      return { runID: runId, uploadHeaders: [], files };
    },
    // An upload is known once it has arrived.
    markRunFilesUploaded: async (_root, { input }: { input: RunPlace }, { caller, runs }) => {
      await runs.find(caller, input, 'member');
      return { success: true };
    },
    deleteFiles: async (_root, { input }: { input: { files: string[] } }, { caller, runFiles }) => {
      await runFiles.delete(caller, input.files);
      return { success: true };
    },
  },
  Run: run,
};
