import type { VersionRow } from '@heddle/artifacts';
import type { Connection, PageArgs } from '../graphql/connection.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import { base64Of } from './manifest/sdk-manifest.js';
import type { SdkFile, SdkReference } from './sdk-artifact-files.repository.js';

/** The clients' own pages. */
const MAX_PAGE = 5000;

export interface FilesArgs extends PageArgs {
  names?: string[] | null;
}

/** A page of a version's files and references, by path, with addresses to get their contents. */
export async function filesOf(
  { id, file_count: totalCount }: VersionRow,
  { first, after, names }: FilesArgs,
  context: GraphqlContext,
): Promise<Connection<object>> {
  const limit = Math.max(1, Math.min(first ?? MAX_PAGE, MAX_PAGE));
  const wanted = names && names.length > 0 ? names : null;
  const found = await context.artifactFileList.entries(id, { after: after || null, names: wanted, limit: limit + 1 });
  const files = found.slice(0, limit);
  return {
    totalCount,
    edges: files.map((file) => ({ node: fileOf(id, file, context), cursor: file.path })),
    pageInfo: { endCursor: files.at(-1)?.path ?? null, hasNextPage: found.length > limit },
  };
}

function fileOf(version: string, file: SdkFile | SdkReference, { urls, baseUrl }: GraphqlContext): object {
  const { path, size } = file;
  // Who downloads a reference gets it where it is; nobody here does.
  const directUrl =
    'ref' in file ? file.ref : urls.sign(baseUrl, { kind: 'get-content', sha256: file.sha256, name: path });
  const digest = 'ref' in file ? null : base64Of(file.md5);
  return {
    id: `${version}:${path}`,
    name: path,
    displayName: path,
    url: directUrl,
    directUrl,
    sizeBytes: size,
    storagePath: `artifacts/${version}/${path}`,
    mimetype: 'application/octet-stream',
    updatedAt: null,
    md5: digest,
    digest,
    uploadHeaders: [],
  };
}
