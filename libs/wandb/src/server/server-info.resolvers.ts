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

export const serverInfoResolvers: Resolvers = {
  Query: { serverInfo: () => ({}) },
  ServerInfo: {
    frontendHost: (_info, _args, { publicUrl }) => publicUrl,
    cliVersionInfo: () => ({}),
    features: () => FEATURES.map((name) => ({ name, isEnabled: true })),
  },
};
