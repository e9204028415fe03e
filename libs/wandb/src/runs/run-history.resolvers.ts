import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import { logLineOf } from './log-line.js';
import type { HistoryArgs } from './run-reads.service.js';
import type { RunSource } from './run-source.js';

const LOG_PAGE = 1000;

interface LogArgs {
  first?: number | null;
  last?: number | null;
  after?: string | null;
}

const run: FieldResolvers<RunSource> = {
  historyLineCount: async ({ run }, _args, { runReads }) => (await runReads.counts(run.id)).history,
  eventsLineCount: async ({ run }, _args, { runReads }) => (await runReads.counts(run.id)).events,
  logLineCount: async ({ run }, _args, { runReads }) => (await runReads.counts(run.id)).log,
  historyTail: ({ run }, _args, { runReads }) => runReads.tail(run.id, 'history'),
  eventsTail: ({ run }, _args, { runReads }) => runReads.tail(run.id, 'events'),
  historyKeys: ({ run }, _args, { runReads }) => runReads.historyKeys(run),
  systemMetrics: async ({ run }, _args, { runReads }) => {
    const [last] = JSON.parse(await runReads.tail(run.id, 'events')) as string[];
    return last ?? '{}';
  },
  history: ({ run }, args: HistoryArgs, { runReads }) => runReads.history(run.id, 'history', args),
  events: ({ run }, args: HistoryArgs, { runReads }) => runReads.history(run.id, 'events', args),
  sampledHistory: ({ run }, { specs }: { specs: string[] }, { runReads }) =>
    Promise.all(specs.map((spec) => runReads.sampled(run.id, spec))),
  parquetHistory: () => ({ parquetUrls: [], liveData: [] }),
  logLines: async ({ run }, { first, last, after }: LogArgs, { runReads }) => {
    const limit = first ?? last ?? LOG_PAGE;
    const found = await runReads.log(run.id, { from: Number(after ?? 0) || 0, last, limit });
    const lines = found.slice(0, limit);
    const endCursor = lines.length > 0 ? String(lines.at(-1)!.number + 1) : null;
    return {
      edges: lines.map((line) => ({ node: logLineOf(line) })),
      pageInfo: { endCursor, hasNextPage: found.length > limit },
    };
  },
};

export const runHistoryResolvers: Resolvers = { Run: run };
