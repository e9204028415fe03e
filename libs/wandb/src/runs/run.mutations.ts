import type { Resolvers } from '../graphql/resolvers.js';
import type { AlertInput } from './run-alerts.service.js';
import type { UpsertBucketInput } from './run-input.js';
import type { RunPlace } from './sdk-runs.service.js';

interface RewindRunInput extends RunPlace {
  metricName: string;
  metricValue: number;
}

export const runMutations: Resolvers = {
  Mutation: {
    upsertBucket: async (_root, { input }: { input: UpsertBucketInput }, { caller, runs }) => {
      const { inserted, ...bucket } = await runs.upsert(caller, input);
      return { bucket, inserted };
    },
    stopRun: async (_root, { input }: { input: { id: string } }, { caller, runs }) => {
      const run = await runs.stop(caller, input.id);
      return { success: true, run };
    },
    deleteRun: async (
      _root,
      { input }: { input: { id: string; deleteArtifacts?: boolean | null } },
      { caller, runs, lineage, artifactChanges },
    ) => {
      const run = await runs.findById(caller, input.id, 'member');
      // First: a version that can't be deleted, for a registry links it, keeps the run.
      for (const version of input.deleteArtifacts ? await lineage.madeBy(run.run.id) : []) {
        await artifactChanges.delete(caller, version, true);
      }
      await runs.delete(caller, input.id);
      return { success: true, run };
    },
    notifyScriptableRunAlert: async (_root, { input }: { input: AlertInput }, { caller, alerts }) => {
      await alerts.notify(caller, input);
      return { success: true };
    },
    updateRunState: async (_root, { input }: { input: { id: string; state: string } }, { caller, runs }) => {
      const run = await runs.upsert(caller, input);
      return { success: true, run };
    },
    rewindRun: async (_root, { input }: { input: RewindRunInput }, { caller, runs }) => ({
      rewoundRun: await runs.rewind(caller, input, input.metricName, input.metricValue),
    }),
  },
};
