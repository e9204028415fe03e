import type { Resolvers } from '../graphql/resolvers.js';

/** What clients use only where a server says that it has it. */
const FEATURES = [
  'ARTIFACT_REGISTRY_SEARCH',
  'ARTIFACT_TAGS',
  'ARTIFACT_COLLECTIONS_FILTERING_SORTING',
  'ARTIFACT_MEMBERSHIP_IN_LINK_ARTIFACT_RESPONSE',
  'INCLUDE_ARTIFACT_TYPES_IN_REGISTRY_CREATION',
  'ARTIFACT_DIGEST_ALGORITHM',
  'FILESTREAM_GZIP',
  'MARK_RUN_FILES_UPLOADED',
  'PROJECT_ARTIFACT_COLLECTION_MEMBERSHIP',
  'ARTIFACT_COLLECTION_MEMBERSHIP_FILES',
  'TOTAL_COUNT_IN_FILE_CONNECTION',
  'USE_ARTIFACT_WITH_ENTITY_AND_PROJECT_INFORMATION',
];

/** Of the Python SDK: what is tested against. */
const NEWEST_KNOWN = '0.31.0';

export const serverInfoResolvers: Resolvers = {
  Query: { serverInfo: () => ({}) },
  ServerInfo: {
    frontendHost: (_info, _args, { publicUrl }) => publicUrl,
    // 0.28 leaves out the names of a gallery's images, and more, where it hears of no version that the server knows.
    cliVersionInfo: () => ({ max_cli_version: NEWEST_KNOWN }),
    features: () => FEATURES.map((name) => ({ name, isEnabled: true })),
  },
};
