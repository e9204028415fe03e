import { accountResolvers } from '../accounts/account.resolvers.js';
import { artifactMutations } from '../artifacts/artifact.mutations.js';
import { artifactResolvers } from '../artifacts/artifact.resolvers.js';
import { collectionResolvers } from '../artifacts/collection.resolvers.js';
import { projectResolvers } from '../projects/project.resolvers.js';
import { registryResolvers } from '../registries/registry.resolvers.js';
import { runFileResolvers } from '../runs/files/run-file.resolvers.js';
import { runHistoryResolvers } from '../runs/run-history.resolvers.js';
import { runMutations } from '../runs/run.mutations.js';
import { runResolvers } from '../runs/run.resolvers.js';
import { serverInfoResolvers } from '../server/server-info.resolvers.js';
import { auditMutations } from './audited-mutations.js';
import { loadSchema } from './load-schema.js';

export const schema = auditMutations(
  loadSchema(
    accountResolvers,
    artifactMutations,
    artifactResolvers,
    collectionResolvers,
    projectResolvers,
    registryResolvers,
    runFileResolvers,
    runHistoryResolvers,
    runMutations,
    runResolvers,
    serverInfoResolvers,
  ),
);
