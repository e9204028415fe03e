import { connectionOf } from '../graphql/connection.js';
import type { GraphqlContext } from '../graphql/graphql-context.js';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { isRegistry, type PlaceSource } from '../places/place-source.js';
import type { RunsArgs } from './finding/runs-finder.service.js';
import type { RunSource } from './run-source.js';
import { ownConfigOf, sdkConfigOf } from './sdk-config.js';

async function findRun(
  project: PlaceSource,
  { name }: { name: string },
  { runs }: GraphqlContext,
): Promise<RunSource | null> {
  if (isRegistry(project)) return null;
  const run = await runs.findIn(project, name);
  return run && { run, project };
}

const run: FieldResolvers<RunSource> = {
  id: ({ run }) => run.id,
  name: ({ run }) => run.name,
  displayName: ({ run }) => run.displayName,
  description: () => null,
  notes: ({ run }) => run.notes,
  tags: ({ run }) => run.tags,
  state: ({ run }) => run.state.toLowerCase(),
  group: ({ run }) => run.group,
  jobType: ({ run }) => run.jobType,
  commit: ({ run }) => run.commit,
  host: ({ run }) => run.host,
  sweepName: () => null,
  readOnly: () => false,
  createdAt: ({ run }) => run.createdAt,
  heartbeatAt: ({ run }) => run.heartbeatAt ?? run.stateChangedAt,
  user: ({ run }) => ({ name: run.createdBy, username: run.createdBy }),
  projectId: ({ project }) => String(project.id),
  config: ({ run }) => sdkConfigOf(run),
  wandbConfig: ({ run }, { keys }: { keys?: string[] | null }) => ownConfigOf(run.clientConfig, keys ?? []),
  summaryMetrics: ({ run }) => run.summary,
};

export const runResolvers: Resolvers = {
  Project: {
    run: findRun,
    bucket: findRun,
    runCount: (project: PlaceSource, { filters }: RunsArgs, { runList }) =>
      isRegistry(project) ? 0 : runList.count(project.id, filters),
    runs: (project: PlaceSource, args: RunsArgs, { runList }) =>
      isRegistry(project) ? connectionOf([]) : runList.page(project, args),
  },
  Run: run,
};
